# {"error": "python/unsupported", "line": 15}
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
    loss = m.evaluate(np.zeros((4, 3)))
    while loss > 0.1:
        m.fit(np.zeros((4, 3)), np.zeros((4, 1)))
