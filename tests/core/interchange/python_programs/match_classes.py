# {"config": [1, "units", 123]}
import numpy as np
import tensorflow as tf
import random
from tensorflow.keras import Sequential, layers
from tensorflow import keras
x = np.zeros((64, 3), np.float32)
y = np.zeros((64, 4), np.float32)
class Dense:
    __match_args__ = ("units",)
    def __init__(self, units, act=None):
        self.units = units
        self.act = act
def size(v):
    match v:
        case int() | float():
            return int(v)
        case str() as s:
            return len(s)
        case Dense(n, act="relu"):
            return n + 100
        case Dense(n):
            return n
        case (a, b):
            return a * b
        case []:
            return 1
        case None:
            return 2
        case _:
            return 3
u = size(Dense(6)) + size("abc") + size((2, 3)) + size([]) + size(None) + size(4) + size(Dense(1, "relu"))
assert u == 6 + 3 + 6 + 1 + 2 + 4 + 101
m = Sequential([layers.Dense(u, input_shape=(3,)), layers.Dense(4)])
m.compile("sgd", "mse")
m.fit(x, y, batch_size=8)
