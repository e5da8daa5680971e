# {"error": "layer/attribute", "line": 13}
import numpy as np
import tensorflow as tf
from tensorflow import keras
from tensorflow.python import ipu

cfg = ipu.config.IPUConfig()
cfg.auto_select_ipus = 1
cfg.configure_ipu_system()

with ipu.ipu_strategy.IPUStrategy().scope():
    m = keras.Sequential([keras.layers.InputLayer((8, 42)),
                          ipu.keras.layers.GroupNormalization(groups=4)])
    m.compile("sgd", "mse")
    m.fit(np.zeros((32, 8, 42)), np.zeros((32, 8, 42)), batch_size=8)
