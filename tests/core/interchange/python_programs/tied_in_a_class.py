# {"parameters": 472, "config": [0, "dtype", "int32"]}
import numpy as np
import tensorflow as tf
from tensorflow import keras
from tensorflow.keras import layers
from tensorflow.python import ipu
cfg = ipu.config.IPUConfig()
cfg.auto_select_ipus = 1
cfg.configure_ipu_system()
x = np.zeros((64, 6), "i4"); y = np.zeros((64, 6), "i4")
strategy = ipu.ipu_strategy.IPUStrategy()

class LM(keras.Model):
    def __init__(self):
        super().__init__()
        self.e = layers.Embedding(50, 8); self.d = layers.Dense(8)
    def call(self, t):
        return tf.matmul(self.d(self.e(t)), self.e.embeddings, transpose_b=True)
with strategy.scope():
    m = LM()
    m.compile("sgd", keras.losses.SparseCategoricalCrossentropy(True), steps_per_execution=2)
    m.fit(x, y, batch_size=4, epochs=2)
