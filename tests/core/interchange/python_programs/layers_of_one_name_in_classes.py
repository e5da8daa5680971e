# {"parameters": 80, "layer_count": 7}
import numpy as np
import tensorflow as tf
from tensorflow.python import ipu
cfg = ipu.config.IPUConfig(); cfg.auto_select_ipus = 1; cfg.configure_ipu_system()
class Block(tf.keras.layers.Layer):
    def __init__(self, n):
        super().__init__()
        self.d = tf.keras.layers.Dense(n, name="fc")
    def call(self, x):
        return x + self.d(x)
class Net(tf.keras.Model):
    def __init__(self):
        super().__init__()
        self.a = tf.keras.layers.Dense(4, name="fc")
        self.b = tf.keras.layers.Dense(4, name="fc")
        self.c = [Block(4), Block(4)]
    def call(self, x):
        x = self.b(self.a(x))
        for c in self.c: x = c(x)
        return x
with ipu.ipu_strategy.IPUStrategy().scope():
    m = Net()
    m.compile("sgd", "mse")
    m.fit(np.zeros((64, 4), np.float32), np.zeros((64, 4), np.float32), batch_size=8)
