# {"batch": 15, "validation_steps": 4, "warning": "python/batch-size", "says": "the validation takes 4 samples at a time, and a run of the project 15"}
import numpy as np
import tensorflow as tf
from tensorflow.python import ipu

config = ipu.config.IPUConfig()
config.auto_select_ipus = 1
config.configure_ipu_system()
x = np.random.RandomState(0).rand(60, 5).astype(np.float32)
y = np.random.RandomState(1).rand(60, 1).astype(np.float32)
with ipu.ipu_strategy.IPUStrategy().scope():
    model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
    model.compile("sgd", "mse", steps_per_execution=2)
    model.fit(x, y, batch_size=15, validation_data=(x[:24], y[:24]), validation_batch_size=4)
    model.evaluate(x, y, batch_size=10)
