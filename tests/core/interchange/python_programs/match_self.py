# {"config": [1, "units", 23]}
import numpy as np
import tensorflow as tf
import random
from tensorflow.keras import Sequential, layers
from tensorflow import keras
x = np.zeros((64, 3), np.float32)
y = np.zeros((64, 4), np.float32)
from dataclasses import dataclass
from typing import NamedTuple
@dataclass
class P:
    a: int
    b: int = 2
class Q(NamedTuple):
    a: int
    b: int
class M:
    def __init__(self, v):
        self.v = v
    def go(self):
        match self:
            case M(v=P(a, 2)):
                return a
            case M(v=Q(a, b)):
                return b
            case M(v=[a, [b, c]]):
                return c
            case M(v=True):
                return 11
u = M(P(3)).go() + M(Q(3, 4)).go() + M([1, [2, 5]]).go() + M(True).go()
assert u == 23
m = Sequential([layers.Dense(u, input_shape=(3,)), layers.Dense(4)])
m.compile("sgd", "mse")
m.fit(x, y, batch_size=8)
