# {"parameters": 472}
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

with strategy.scope():
    e = layers.Embedding(50, 8); i = keras.Input((6,), dtype="int32")
    h = layers.Dense(8)(e(i))
    h = tf.matmul(h, e.embeddings, transpose_b=True)
    m = keras.Model(i, h)
    m.compile("sgd", keras.losses.SparseCategoricalCrossentropy(True), steps_per_execution=2)
    m.fit(x, y, batch_size=4, epochs=2)
