# {"error": "python/value", "line": 14}
import tensorflow as tf
from tensorflow import keras
from tensorflow.python import ipu

cfg = ipu.config.IPUConfig()
cfg.auto_select_ipus = 1
cfg.configure_ipu_system()
strategy = ipu.ipu_strategy.IPUStrategy()

import numpy as np
x = np.load("features.npy")
with strategy.scope():
    model = keras.Sequential([keras.layers.Dense(4, input_shape=(x.shape[1],)), keras.layers.Dense(1)])
    model.compile("sgd", "mse")
