# {"error": "value-error/steps-per-execution", "line": 14}
import tensorflow as tf
from tensorflow import keras
from tensorflow.python import ipu
import numpy as np
cfg = ipu.config.IPUConfig()
cfg.auto_select_ipus = 1
cfg.configure_ipu_system()
strategy = ipu.ipu_strategy.IPUStrategy()
with strategy.scope():
    model = keras.Sequential([keras.layers.Dense(16, input_shape=(32,)), keras.layers.Dense(2)])
    model.compile(optimizer="sgd", loss="mse", steps_per_execution=5)
    x = np.random.rand(64, 32).astype(np.float32); y = np.random.rand(64, 2).astype(np.float32)
    model.fit(x, y, batch_size=8, epochs=2)
