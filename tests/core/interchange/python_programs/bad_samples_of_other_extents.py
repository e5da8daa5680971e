# {"error": "value-error/input-shape", "line": 12, "says": "takes samples of (12, 6) and is given (10, 6)"}
import numpy as np
import tensorflow as tf
from tensorflow.python import ipu
cfg = ipu.config.IPUConfig()
cfg.auto_select_ipus = 1
cfg.configure_ipu_system()
with ipu.ipu_strategy.IPUStrategy().scope():
    i = tf.keras.Input((12, 6))
    model = tf.keras.Model(i, tf.keras.layers.Dense(1)(tf.keras.layers.Flatten()(i)))
    model.compile("sgd", "mse", steps_per_execution=4)
    model.fit(np.zeros((64, 10, 6), np.float32), np.zeros((64, 1), np.float32), batch_size=4)
