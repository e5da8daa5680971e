# {"error": "value-error/sample-count", "line": 11, "says": "64 samples and labels of 60"}
import numpy as np
import tensorflow as tf
from tensorflow.python import ipu
cfg = ipu.config.IPUConfig()
cfg.auto_select_ipus = 1
cfg.configure_ipu_system()
with ipu.ipu_strategy.IPUStrategy().scope():
    model = tf.keras.Sequential([tf.keras.layers.Dense(1, input_shape=(6,))])
    model.compile("sgd", "mse", steps_per_execution=4)
    model.fit(np.zeros((64, 6), np.float32), np.zeros((60, 1), np.float32), batch_size=4)
