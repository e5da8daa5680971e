# {"error": "python/unknown-shape", "line": 12, "says": "input_shape="}
import numpy as np, tensorflow as tf
from tensorflow import keras
from tensorflow.keras import layers
from tensorflow.python import ipu
cfg = ipu.config.IPUConfig(); cfg.auto_select_ipus = 1; cfg.configure_ipu_system()
(x, y), _ = keras.datasets.mnist.load_data()
ds = tf.data.Dataset.from_tensor_slices((x[..., None].astype(np.float32), y)).map(lambda i, l: (tf.numpy_function(lambda a: a[:10], [i], tf.float32), l)).batch(32, drop_remainder=True).repeat()
with ipu.ipu_strategy.IPUStrategy().scope():
    m = keras.Sequential([layers.Flatten(), layers.Dense(10)])
    m.compile("sgd", keras.losses.SparseCategoricalCrossentropy(from_logits=True), steps_per_execution=8)
    m.fit(ds, steps_per_epoch=80, epochs=2)
