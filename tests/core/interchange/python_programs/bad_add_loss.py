# {"error": "python/unsupported", "line": 13}
import tensorflow as tf
from tensorflow import keras
from tensorflow.python import ipu

cfg = ipu.config.IPUConfig()
cfg.auto_select_ipus = 1
cfg.configure_ipu_system()
strategy = ipu.ipu_strategy.IPUStrategy()

class L(keras.layers.Layer):
    def call(self, x):
        self.add_loss(lambda: tf.reduce_sum(self.w))
        return x
with strategy.scope():
    i = keras.Input((3,))
    m = keras.Model(i, keras.layers.Dense(1)(L()(i)))
