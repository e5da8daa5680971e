# {"error": "python/unsupported", "line": 13, "says": "a loop that leaves rounds out on data is not followed"}
import numpy as np
import tensorflow as tf
from tensorflow import keras
from tensorflow.python import ipu
cfg = ipu.config.IPUConfig()
cfg.auto_select_ipus = 1
cfg.configure_ipu_system()
with ipu.ipu_strategy.IPUStrategy().scope():
    m = keras.Sequential([keras.layers.Dense(8, input_shape=(4,)), keras.layers.Dense(1)])
    m.compile("adam", "mse", steps_per_execution=4)
    for epoch in range(6):
        if np.random.rand() < 0.5:
            continue
        m.fit(np.ones((64, 4), np.float32), np.ones((64, 1), np.float32), batch_size=8)
