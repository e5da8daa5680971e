# {"warning": "python/unknown-samples", "batch": 50}
import numpy as np
import tensorflow as tf
from tensorflow.python import ipu
cfg = ipu.config.IPUConfig(); cfg.auto_select_ipus = 1; cfg.configure_ipu_system()
L = tf.keras.layers
(x, y), _ = tf.keras.datasets.mnist.load_data()
keep = np.logical_or(y == 0, y == 1); x, y = x[keep], y[keep]; U = 2
with ipu.ipu_strategy.IPUStrategy().scope():
    m = tf.keras.Sequential([L.Flatten(input_shape=(28, 28)), L.Dense(U, activation="softmax")])
    m.compile("adam", "sparse_categorical_crossentropy")
    m.fit(x, y, batch_size=50)
