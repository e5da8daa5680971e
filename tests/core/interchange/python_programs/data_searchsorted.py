# {"parameters": 1402}
import tensorflow as tf
from tensorflow import keras
from tensorflow.python import ipu
import numpy as np
cfg = ipu.config.IPUConfig()
cfg.auto_select_ipus = 1
cfg.configure_ipu_system()
edges = np.array([10, 20, 40, 80])
index = np.searchsorted(edges, 25)
strategy = ipu.ipu_strategy.IPUStrategy()
with strategy.scope():
    model = keras.Sequential([keras.layers.Dense(int(edges[index]), input_shape=(32,)), keras.layers.Dense(2)])
    model.compile(optimizer="sgd", loss="mse", steps_per_execution=4)
    x = np.random.rand(64, 32).astype(np.float32); y = np.random.rand(64, 2).astype(np.float32)
    model.fit(x, y, batch_size=8, epochs=2)
