# {"error": "value-error/steps-per-execution", "line": 14}
import numpy as np
import tensorflow as tf
from tensorflow import keras
from tensorflow.python import ipu

cfg = ipu.config.IPUConfig()
cfg.auto_select_ipus = 1
cfg.configure_ipu_system()

with ipu.ipu_strategy.IPUStrategy().scope():
    m = keras.Sequential([keras.layers.Dense(2, input_shape=(4,))])
    m.compile("sgd", "mse", steps_per_execution=7)
    m.evaluate(np.zeros((320, 4)), np.zeros((320, 2)), batch_size=8)
