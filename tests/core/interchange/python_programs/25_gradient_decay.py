# {"optimizer": "SGD", "optimizer_config": {"learning_rate": 0.05, "momentum": 0.9, "gradient_decay": 0.0001}}
"""The gradient decay of the reference of MapGradientOptimizer."""
import numpy as np
import tensorflow as tf
from tensorflow import keras
from tensorflow.python import ipu

WEIGHT_DECAY = 1e-4


def map_fn_decay(grad, var):
    return grad + (WEIGHT_DECAY * var)


config = ipu.config.IPUConfig()
config.auto_select_ipus = 1
config.configure_ipu_system()

with ipu.ipu_strategy.IPUStrategy().scope():
    model = keras.Sequential([keras.layers.Dense(8, input_shape=(16,)), keras.layers.Dense(2)])
    sgd = keras.optimizers.SGD(0.05, momentum=0.9)
    model.compile(ipu.keras.optimizers.MapGradientOptimizer(sgd, map_fn_decay), 'mse')
    x = np.random.rand(64, 16).astype(np.float32)
    y = np.random.rand(64, 2).astype(np.float32)
    model.fit(x, y, batch_size=8, epochs=2)
