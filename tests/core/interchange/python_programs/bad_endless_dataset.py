# {"error": "value-error/endless-dataset", "line": 16}
import tensorflow as tf
from tensorflow import keras
from tensorflow.python import ipu

cfg = ipu.config.IPUConfig()
cfg.auto_select_ipus = 1
cfg.configure_ipu_system()
strategy = ipu.ipu_strategy.IPUStrategy()

import numpy as np
ds = tf.data.Dataset.from_tensor_slices((np.zeros((10, 4)), np.zeros((10, 1)))).batch(5, drop_remainder=True).repeat()
with strategy.scope():
    m = keras.Sequential([keras.layers.Dense(1)])
    m.compile("sgd", "mse")
    m.fit(ds, epochs=2)
