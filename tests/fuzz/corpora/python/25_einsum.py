# {"classes": ["InputLayer", "Variable", "TFOpLambda"], "parameters": 256}
import tensorflow as tf
from tensorflow.python import ipu

class Proj(tf.keras.layers.Layer):
    def build(self, shape):
        self.w = self.add_weight(name="w", shape=(shape[-1], 32))
    def call(self, x):
        return tf.einsum("bsh,ho->bso", x, self.w)

with ipu.ipu_strategy.IPUStrategy().scope():
    i = tf.keras.Input((10, 8))
    m = tf.keras.Model(i, Proj()(i))
    m.compile("sgd", "mse")
