# {"error": "value-error/steps-per-execution", "line": 16}
import numpy as np
import tensorflow as tf
from tensorflow import keras
from tensorflow.python import ipu

cfg = ipu.config.IPUConfig()
cfg.auto_select_ipus = 1
cfg.configure_ipu_system()

with ipu.ipu_strategy.IPUStrategy().scope():
    m = keras.Sequential([keras.layers.Dense(2, input_shape=(4,))])
    x, y = np.zeros((320, 4)), np.zeros((320, 2))
    m.compile("sgd", "mse", steps_per_execution=4)
    m.fit(x, y, batch_size=8)
    m.evaluate(x[:72], y[:72], batch_size=8)
