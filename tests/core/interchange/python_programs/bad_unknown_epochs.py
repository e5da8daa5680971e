# {"error": "python/value", "line": 12, "says": "known only when the program runs"}
import os
import tensorflow as tf
from tensorflow.python import ipu
c = ipu.config.IPUConfig()
c.auto_select_ipus = 1
c.configure_ipu_system()
(x, y), _ = tf.keras.datasets.mnist.load_data()
with ipu.ipu_strategy.IPUStrategy().scope():
    m = tf.keras.Sequential([tf.keras.layers.Flatten(), tf.keras.layers.Dense(10, activation="softmax")])
    m.compile(tf.keras.optimizers.SGD(0.1), "sparse_categorical_crossentropy", steps_per_execution=5)
    m.fit(x, y, batch_size=20, epochs=int(input()), steps_per_epoch=10)
