# {"classes": ["InputLayer", "InputLayer", "Dot"], "config": [2, "axes", [2, 2]]}
import numpy as np, tensorflow as tf
from tensorflow import keras
from tensorflow.keras import layers
from tensorflow.python import ipu
cfg = ipu.config.IPUConfig(); cfg.auto_select_ipus = 1; cfg.configure_ipu_system()

with ipu.ipu_strategy.IPUStrategy().scope():
    K = keras.backend
    a = keras.Input((3, 3), batch_size=8); b = keras.Input((3, 3), batch_size=8)
    m = keras.Model([a, b], K.batch_dot(a, b, axes=[2, 2]))
    m.compile("sgd", "mse", steps_per_execution=4)
    m.fit([np.zeros((64, 3, 3))] * 2, np.zeros((64, 1)), batch_size=8)
