# {"warning": "python/ignored", "says": "adapt()"}
import numpy as np
import tensorflow as tf
from tensorflow import keras
from tensorflow.keras import layers
from tensorflow.python import ipu
cfg = ipu.config.IPUConfig()
cfg.auto_select_ipus = 1
cfg.configure_ipu_system()
x = np.zeros((64, 4), "f4"); y = np.zeros((64, 1), "f4")
norm = layers.experimental.preprocessing.Normalization()
norm.adapt(x)
with ipu.ipu_strategy.IPUStrategy().scope():
    m = keras.Sequential([keras.Input((4,)), norm, layers.Dense(1)])
    m.compile("sgd", "mse", steps_per_execution=2)
    m.fit(x, y, batch_size=8, epochs=2)
