# {"warning": "python/no-strategy", "says": "trains it on the host", "batch": 4}
import numpy as np
import tensorflow as tf
from tensorflow.python import ipu
cfg = ipu.config.IPUConfig()
cfg.auto_select_ipus = 1
cfg.configure_ipu_system()
ds = tf.data.Dataset.from_tensors((np.zeros(4, np.float32), np.zeros(1, np.float32))).repeat().batch(4, drop_remainder=True)
D = tf.keras.layers.Dense
strategy = ipu.ipu_strategy.IPUStrategy()
model = tf.keras.Sequential([D(8, input_shape=(4,)), D(1)])
model.compile("sgd", "mse", steps_per_execution=8)
model.fit(ds, steps_per_epoch=8)
