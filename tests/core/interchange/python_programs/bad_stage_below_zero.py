# {"error": "value-error/stage-number", "line": 14}
import numpy as np
import tensorflow as tf
from tensorflow import keras
from tensorflow.keras import layers
from tensorflow.python import ipu
cfg = ipu.config.IPUConfig()
cfg.auto_select_ipus = 2
cfg.configure_ipu_system()
x = np.zeros((64, 4), "f4"); y = np.zeros((64, 1), "f4")
strategy = ipu.ipu_strategy.IPUStrategy()
with strategy.scope():
    i = keras.Input((4,))
    with ipu.keras.PipelineStage(-1):
        h = layers.Dense(1)(i)
    m = keras.Model(i, h)
    m.compile("sgd", "mse", steps_per_execution=8)
    m.fit(x, y, batch_size=4, epochs=2)
