# {"parameters": 27}
import numpy as np
import tensorflow as tf
from tensorflow import keras
from tensorflow.keras import layers
from tensorflow.python import ipu
cfg = ipu.config.IPUConfig()
cfg.auto_select_ipus = 1
cfg.configure_ipu_system()
x = np.zeros((64, 6), "f4"); y = np.zeros((64, 6), "f4")
strategy = ipu.ipu_strategy.IPUStrategy()

class TiedDecoder(layers.Layer):
    def __init__(self, dense): super().__init__(); self.dense = dense
    def build(self, s):
        self.b = self.add_weight("b", (6,), initializer="zeros"); super().build(s)
    def call(self, v): return tf.matmul(v, self.dense.kernel, transpose_b=True) + self.b
with strategy.scope():
    enc = layers.Dense(3, "relu"); i = keras.Input((6,))
    m = keras.Model(i, TiedDecoder(enc)(enc(i)))
    m.compile("sgd", "mse", steps_per_execution=2)
    m.fit(x, y, batch_size=4, epochs=2)
