# {"error": "value-error/input-count", "line": 12, "says": "the model has 2 inputs and is given 1 array"}
import numpy as np
import tensorflow as tf
from tensorflow.python import ipu
cfg = ipu.config.IPUConfig()
cfg.auto_select_ipus = 1
cfg.configure_ipu_system()
with ipu.ipu_strategy.IPUStrategy().scope():
    a, b = tf.keras.Input((3,)), tf.keras.Input((5,))
    model = tf.keras.Model([a, b], tf.keras.layers.Dense(1)(tf.keras.layers.concatenate([a, b])))
    model.compile("sgd", "mse", steps_per_execution=4)
    model.fit(np.zeros((64, 3), np.float32), np.zeros((64, 1), np.float32), batch_size=4)
