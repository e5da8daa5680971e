# {"classes": ["InputLayer", "Flatten", "Dense"], "input": [null, 8, 8, 1], "batch": 4, "steps_per_epoch": 80, "shuffle": true}
import numpy as np
import tensorflow as tf
from tensorflow.python import ipu

cfg = ipu.config.IPUConfig()
cfg.auto_select_ipus = 1
cfg.configure_ipu_system()


def scale(image, label):
    return tf.cast(image, tf.float32)[..., None] / 255.0, label


images = np.random.randint(0, 255, size=(64, 8, 8))
labels = np.random.randint(0, 3, size=64)
ds = tf.data.Dataset.from_tensor_slices((images, labels))
ds = ds.apply(tf.data.experimental.shuffle_and_repeat(512, count=5))
ds = ds.apply(tf.data.experimental.ignore_errors())
ds = ds.apply(tf.data.experimental.map_and_batch(scale, 8, drop_remainder=True))
ds = ds.apply(tf.data.experimental.unbatch()).apply(tf.data.experimental.assert_cardinality(320))
ds = ds.batch(4, drop_remainder=True).apply(tf.data.experimental.copy_to_device("/device:IPU:0"))
ds = ds.apply(tf.data.experimental.prefetch_to_device("/device:IPU:0", buffer_size=2))
with ipu.ipu_strategy.IPUStrategy().scope():
    model = tf.keras.Sequential([tf.keras.layers.Flatten(), tf.keras.layers.Dense(3)])
    model.compile("sgd", tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True), steps_per_execution=8)
    model.fit(ds)
