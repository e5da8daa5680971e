# {"input": [null, 16, 3], "steps_per_epoch": 2}
import numpy as np
import tensorflow as tf
import random
from tensorflow.keras import Sequential, layers
T = 16
ids = np.zeros((1000, 3), np.float32)
rng = np.random.default_rng(0)
starts = np.arange(0, 800, 50)
x = np.array([ids[s:s + T] for s in starts])
y = np.zeros((len(x), 4), np.float32)
m = Sequential([layers.Flatten(), layers.Dense(4)])
m.compile("sgd", "mse")
m.fit(x, y, batch_size=8)
