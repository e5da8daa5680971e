# {"classes": ["InputLayer", "Embedding", "Variable", "TFOpLambda", "GlobalAveragePooling1D", "Dense"], "input": [null, 20]}
import tensorflow as tf
from tensorflow import keras
from tensorflow.python import ipu

cfg = ipu.config.IPUConfig()
cfg.auto_select_ipus = 1
cfg.configure_ipu_system()
strategy = ipu.ipu_strategy.IPUStrategy()

class TokenAndPosition(keras.layers.Layer):
    def __init__(self, maxlen, vocab, dim):
        super().__init__()
        self.tok = keras.layers.Embedding(input_dim=vocab, output_dim=dim)
        self.pos = keras.layers.Embedding(input_dim=maxlen, output_dim=dim)
    def call(self, x):
        maxlen = tf.shape(x)[-1]
        positions = tf.range(start=0, limit=maxlen, delta=1)
        return self.tok(x) + self.pos(positions)
with strategy.scope():
    i = keras.Input((20,), dtype=tf.int32)
    x = TokenAndPosition(20, 500, 16)(i)
    x = keras.layers.GlobalAveragePooling1D()(x)
    m = keras.Model(i, keras.layers.Dense(2, activation="softmax")(x))
    m.compile("adam", "sparse_categorical_crossentropy")
