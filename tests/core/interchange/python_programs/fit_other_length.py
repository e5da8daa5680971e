# {"steps_per_epoch": 2, "epochs": 1, "warning": "python/replaced"}
import numpy as np
import tensorflow as tf
from tensorflow import keras
from tensorflow.keras import layers
from tensorflow.keras import backend as Kb
from tensorflow.python import ipu
cfg = ipu.config.IPUConfig()
cfg.auto_select_ipus = 1
cfg.configure_ipu_system()
x = np.zeros((64, 4), "f4"); y = np.zeros((64, 1), "f4")
strategy = ipu.ipu_strategy.IPUStrategy()
with strategy.scope():
    m = keras.Sequential([layers.Dense(8, input_shape=(4,)), layers.Dense(1)])
    m.compile("sgd", "mse", steps_per_execution=2)
    m.fit(x, y, batch_size=8, epochs=10)
    m.fit(x[:16], y[:16], batch_size=8, epochs=1)
