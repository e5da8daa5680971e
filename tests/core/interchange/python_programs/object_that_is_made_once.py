# {"config": [1, "units", 4]}
import tensorflow as tf
class S:
    _i = None
    def __new__(cls, *a):
        if cls._i is None:
            cls._i = super().__new__(cls)
        return cls._i
    def __init__(self, n): self.n = n
a = S(3)
b = S(4)
assert a is b
N = a.n
assert N == 4

m = tf.keras.Sequential([tf.keras.layers.Dense(N, input_shape=(8,))])
m.compile("sgd", "mse")

