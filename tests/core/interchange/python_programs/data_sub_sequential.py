# {"classes": ["InputLayer", "Dense", "Dense"], "input": [null, 6], "steps_per_epoch": 10, "batch": 10}
import tensorflow as tf
from tensorflow import keras
from tensorflow.python import ipu

cfg = ipu.config.IPUConfig()
cfg.auto_select_ipus = 1
cfg.configure_ipu_system()
strategy = ipu.ipu_strategy.IPUStrategy()

import numpy as np
class Tower(keras.Sequential):
    def __init__(self, n):
        super().__init__()
        for i in range(n):
            self.add(keras.layers.Dense(4 * (i + 1), name=f"block_{i}"))
with strategy.scope():
    t = Tower(2)
    t.compile(optimizer="sgd", loss="mse")
    t.fit(np.ones((100, 6)), np.ones((100, 8)), batch_size=10)
