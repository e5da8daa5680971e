# {"config": [1, "units", 3]}
from collections import namedtuple
import numpy as np
import tensorflow as tf

Sizes = namedtuple("Sizes", "width depth")
assert Sizes._fields == ("width", "depth") and Sizes(1, 2)._replace(width=3) == Sizes(3, 2)
assert list(np.random.permutation(3)[:2]) == [0, 1] or True


def numbers():
    got = yield 1
    assert got is None
    got = yield 2


matrix = 2
total = sum(numbers())
m = tf.keras.Sequential([tf.keras.layers.Dense(total, input_shape=(8,))])
m.compile("sgd", "mse")
