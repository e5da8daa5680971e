# {"classes": ["InputLayer", "Dense", "Dense"], "input": [null, 5], "steps_per_epoch": 12, "batch": 6, "loss": "SparseCategoricalCrossentropy"}
import tensorflow as tf
from tensorflow import keras
from tensorflow.python import ipu

cfg = ipu.config.IPUConfig()
cfg.auto_select_ipus = 1
cfg.configure_ipu_system()
strategy = ipu.ipu_strategy.IPUStrategy()

import numpy as np
def gen():
    while True:
        yield np.random.rand(5), np.random.randint(2)
ds = tf.data.Dataset.from_generator(gen, output_signature=(tf.TensorSpec(shape=(5,), dtype=tf.float32), tf.TensorSpec(shape=(), dtype=tf.int32)))
ds = ds.batch(6, drop_remainder=True).prefetch(tf.data.AUTOTUNE)
with strategy.scope():
    m = keras.Sequential([keras.layers.Dense(4), keras.layers.Dense(2)])
    m.compile("sgd", keras.losses.SparseCategoricalCrossentropy(from_logits=True))
    m.fit(ds, steps_per_epoch=12)
