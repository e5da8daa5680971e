# {"config": [1, "units", 9]}
import numpy as np
import tensorflow as tf
import random
from tensorflow.keras import Sequential, layers
from tensorflow import keras
x = np.zeros((64, 3), np.float32)
y = np.zeros((64, 4), np.float32)
match = 3
def f(match):
    return match
u = f(match)
match (u, "a"):
    case (-3, _):
        u = 1
    case (3, "a" | "b"): u = 9
m = Sequential([layers.Dense(u, input_shape=(3,)), layers.Dense(4)])
m.compile("sgd", "mse")
m.fit(x, y, batch_size=8)
