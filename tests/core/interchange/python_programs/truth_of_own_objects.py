# {"config": [1, "units", 4]}
import tensorflow as tf
class Cfg:
    def __init__(self, on): self.on = on
    def __bool__(self): return self.on
    def __len__(self): return 3
class L:
    def __len__(self): return 0
N = 4 if not Cfg(False) and Cfg(True) and not L() else 5
assert len(Cfg(True)) == 3
assert N == 4

m = tf.keras.Sequential([tf.keras.layers.Dense(N, input_shape=(8,))])
m.compile("sgd", "mse")

