# {"steps_per_epoch": 8}
import numpy as np
import tensorflow as tf
import random
from tensorflow.keras import Sequential, layers
from tensorflow import keras
x = np.zeros((64, 3), np.float32)
y = np.zeros((64, 4), np.float32)
mem = [(np.zeros(3), np.zeros(4)) for _ in range(200)]
a, b = map(np.stack, zip(*random.sample(mem, 64)))
m = Sequential([layers.Dense(4, input_shape=(3,))])
m.compile("sgd", "mse")
m.fit(a, b, batch_size=8)
