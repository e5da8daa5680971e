# {"warning": "python/not-configured", "says": "configure_ipu_system()", "ipus": 4}
import numpy as np
import tensorflow as tf
from tensorflow.python import ipu
cfg = ipu.config.IPUConfig()
cfg.auto_select_ipus = 4
ds = tf.data.Dataset.from_tensors((np.zeros(4, np.float32), np.zeros(1, np.float32))).repeat().batch(4, drop_remainder=True)
with ipu.ipu_strategy.IPUStrategy().scope():
    m = tf.keras.Sequential([tf.keras.layers.Dense(8, input_shape=(4,)), tf.keras.layers.Dense(1)])
    m.compile("sgd", "mse", steps_per_execution=4)
    m.fit(ds, steps_per_epoch=16)
