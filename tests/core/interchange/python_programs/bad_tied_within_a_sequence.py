# {"error": "python/unsupported", "says": "part of a sequence"}
import numpy as np
import tensorflow as tf
from tensorflow import keras
from tensorflow.keras import layers
from tensorflow.python import ipu
with ipu.ipu_strategy.IPUStrategy().scope():
    e = layers.Embedding(50, 8)
    inner = keras.Sequential([keras.Input((6,), dtype="int32"), e, layers.Dense(8)])
    i = keras.Input((6,), dtype="int32")
    m = keras.Model(i, tf.matmul(inner(i), e.embeddings, transpose_b=True))
    m.compile("sgd", keras.losses.SparseCategoricalCrossentropy(True), steps_per_execution=2)
    m.fit(np.zeros((64, 6), "i4"), np.zeros((64, 6), "i4"), batch_size=4, epochs=2)
