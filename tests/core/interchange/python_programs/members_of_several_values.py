# {"config": [1, "units", 4]}
import tensorflow as tf
from enum import Enum, Flag, IntFlag, auto
class P(Enum):
    A = (1, 2)
    B = (3, 4)
    def __init__(self, a, b):
        self.a = a
        self.b = b
    @property
    def total(self): return self.a + self.b
assert P.A.a == 1 and P.B.total == 7
class F(Flag):
    R = auto()
    W = auto()
    X = R | W
assert F.R in F.X and (F.R | F.W) == F.X
assert F.R.value == 1 and F.W.value == 2
N = P.B.b

m = tf.keras.Sequential([tf.keras.layers.Dense(N, input_shape=(8,))])
m.compile("sgd", "mse")

