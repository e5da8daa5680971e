# {"error": "python/value"}
import numpy as np
import tensorflow as tf
import random
from tensorflow.keras import Sequential, layers
from tensorflow import keras
x = np.zeros((64, 3), np.float32)
y = np.zeros((64, 4), np.float32)
match int(np.random.randint(3)):
    case 0:
        u = 1
    case _:
        u = 2
m = Sequential([layers.Dense(u, input_shape=(3,)), layers.Dense(4)])
m.compile("sgd", "mse")
m.fit(x, y, batch_size=8)
