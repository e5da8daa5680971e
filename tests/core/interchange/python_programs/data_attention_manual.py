# {"classes": ["InputLayer", "Dense", "GlobalAveragePooling1D", "Dense", "Dense", "Dense", "Dense", "TFOpLambda", "TFOpLambda", "TFOpLambda", "TFOpLambda", "TFOpLambda", "TFOpLambda", "TFOpLambda", "TFOpLambda", "TFOpLambda", "TFOpLambda", "TFOpLambda", "TFOpLambda"], "input": [null, 10, 16]}
import tensorflow as tf
from tensorflow import keras
from tensorflow.python import ipu

cfg = ipu.config.IPUConfig()
cfg.auto_select_ipus = 1
cfg.configure_ipu_system()
strategy = ipu.ipu_strategy.IPUStrategy()

class SelfAttention(keras.layers.Layer):
    def __init__(self, dim, heads):
        super().__init__()
        self.heads, self.dim = heads, dim
        self.q, self.k, self.v = (keras.layers.Dense(dim, use_bias=False) for _ in range(3))
        self.o = keras.layers.Dense(dim)
    def split(self, x):
        n = tf.shape(x)[1]
        x = tf.reshape(x, [-1, n, self.heads, self.dim // self.heads])
        return tf.transpose(x, [0, 2, 1, 3])
    def call(self, x):
        q, k, v = (self.split(f(x)) for f in (self.q, self.k, self.v))
        scores = tf.matmul(q, k, transpose_b=True) / (self.dim // self.heads) ** 0.5
        y = tf.matmul(tf.nn.softmax(scores, axis=-1), v)
        y = tf.reshape(tf.transpose(y, [0, 2, 1, 3]), [-1, tf.shape(x)[1], self.dim])
        return self.o(y)
with strategy.scope():
    i = keras.Input((10, 16))
    m = keras.Model(i, keras.layers.Dense(2)(keras.layers.GlobalAveragePooling1D()(SelfAttention(16, 4)(i))))
    m.compile("sgd", "mse")
