# {"error": "python/unsupported", "line": 15}
import tensorflow as tf
from tensorflow import keras
from tensorflow.python import ipu

cfg = ipu.config.IPUConfig()
cfg.auto_select_ipus = 1
cfg.configure_ipu_system()
strategy = ipu.ipu_strategy.IPUStrategy()

import numpy as np
n = np.load("n.npy")
class L(keras.layers.Layer):
    def build(self, s):
        self.w = self.add_weight(shape=(n.shape[0], 4))
    def call(self, x):
        return tf.matmul(x, self.w)
with strategy.scope():
    i = keras.Input((3,))
    m = keras.Model(i, L()(i))
