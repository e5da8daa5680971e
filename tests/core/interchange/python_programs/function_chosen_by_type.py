# {"error": "python/unsupported", "says": "chosen by the type of its argument"}
import tensorflow as tf
from functools import singledispatch
@singledispatch
def f(x): return 1
@f.register(int)
def _(x): return 2
N = f(3) + 1
assert N == 3

m = tf.keras.Sequential([tf.keras.layers.Dense(N, input_shape=(8,))])
m.compile("sgd", "mse")

