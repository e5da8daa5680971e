# {"parameters": 35}
import numpy as np, tensorflow as tf
from tensorflow.python import ipu
import functools
class C:
    @functools.cached_property
    def u(self): return len(bin(8)) - 3
U = C().u + len(np.unique([1, 2, 2])) + int(np.bincount([0, 1, 1])[1])
with ipu.ipu_strategy.IPUStrategy().scope():
    m = tf.keras.Sequential([tf.keras.layers.Dense(U, input_shape=(4,))])
    m.compile("sgd", "mse")
    m.fit(np.zeros((64, 4), "f4"), np.zeros((64, U), "f4"), batch_size=8)
