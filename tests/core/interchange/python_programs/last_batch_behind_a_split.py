# {"error": "value-error/partial-batch", "says": "the last batch of 102 samples has only 6 of 8"}
import numpy as np
import tensorflow as tf
from tensorflow import keras
from tensorflow.python import ipu

cfg = ipu.config.IPUConfig()
cfg.auto_select_ipus = 1
cfg.configure_ipu_system()
r = np.random.RandomState(0)
x = r.rand(128, 8).astype(np.float32)
y = x[:, :1]
with ipu.ipu_strategy.IPUStrategy().scope():
    model = keras.Sequential([keras.layers.Dense(8, input_shape=(8,)), keras.layers.Dense(1)])
    model.compile("sgd", "mse")
    model.fit(x, y, batch_size=8, validation_split=0.2)
