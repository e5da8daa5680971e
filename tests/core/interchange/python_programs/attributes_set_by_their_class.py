# {"config": [1, "units", 4]}
import tensorflow as tf
class S:
    def __setattr__(self, k, v):
        object.__setattr__(self, k, v * 2)
s = S()
s.n = 2
class Pos:
    def __set_name__(self, owner, name): self.name = "_" + name
    def __get__(self, obj, owner=None): return getattr(obj, self.name)
    def __set__(self, obj, v):
        if v < 0: raise ValueError("neg")
        setattr(obj, self.name, v)
class U:
    n = Pos()
    def __init__(self, n): self.n = n
assert U(3).n == 3
N = s.n
assert N == 4

m = tf.keras.Sequential([tf.keras.layers.Dense(N, input_shape=(8,))])
m.compile("sgd", "mse")

