# {"error": "python/unsupported", "line": 14}
import tensorflow as tf
from tensorflow import keras
from tensorflow.python import ipu

cfg = ipu.config.IPUConfig()
cfg.auto_select_ipus = 1
cfg.configure_ipu_system()
strategy = ipu.ipu_strategy.IPUStrategy()

import numpy as np
with strategy.scope():
    m = keras.Sequential([keras.layers.Dense(1, input_shape=(3,))])
    if np.random.rand() > 0.5:
        m.add(keras.layers.Dense(2))
    m.compile("sgd", "mse")
