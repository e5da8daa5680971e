# {"classes": ["InputLayer", "Dense"], "input": [null, 7], "steps_per_epoch": 5, "batch": 20, "loss": "SparseCategoricalCrossentropy"}
import tensorflow as tf
from tensorflow import keras
from tensorflow.python import ipu

cfg = ipu.config.IPUConfig()
cfg.auto_select_ipus = 1
cfg.configure_ipu_system()
strategy = ipu.ipu_strategy.IPUStrategy()

xs = tf.data.Dataset.from_tensor_slices(tf.random.normal([100, 7]))
ys = tf.data.Dataset.from_tensor_slices(tf.random.uniform([100], maxval=3, dtype=tf.int32))
train = tf.data.Dataset.zip((xs, ys)).batch(20, drop_remainder=True)
with strategy.scope():
    m = keras.Sequential([keras.layers.Dense(3)])
    m.compile("sgd", keras.losses.SparseCategoricalCrossentropy(from_logits=True))
    m.fit(train)
