# {"epochs": 20, "steps_per_epoch": 8, "batch": 8, "optimizer_config": {"learning_rate": 0.01}}
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
    model.optimizer.learning_rate.assign(0.01)
    for epoch in range(20):
        model.fit(np.zeros((64, 8)), np.zeros((64, 1)), batch_size=8, epochs=1)
