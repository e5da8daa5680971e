# {"epochs": 3, "batch": 16, "warning": "python/replaced"}
import numpy as np
import tensorflow as tf
from tensorflow import keras
from tensorflow.python import ipu

cfg = ipu.config.IPUConfig()
cfg.auto_select_ipus = 2
cfg.configure_ipu_system()
strategy = ipu.ipu_strategy.IPUStrategy()

with strategy.scope():
    model = keras.Sequential([keras.layers.Dense(1, input_shape=(8,))])
    model.compile(keras.optimizers.SGD(0.1), "mse", steps_per_execution=4)
    keras.backend.set_value(model.optimizer.learning_rate, 0.01)
    model.fit(np.zeros((64, 8)), np.zeros((64, 1)), batch_size=8, epochs=2, class_weight={0: 1.0})
    model.fit(np.zeros((64, 8)), np.zeros((64, 1)), batch_size=16, epochs=3)
