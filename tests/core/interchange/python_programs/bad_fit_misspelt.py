# {"error": "type-error/argument", "line": 11, "says": "did you mean \"batch_size\"?"}
import numpy as np
import tensorflow as tf
from tensorflow.python import ipu
cfg = ipu.config.IPUConfig()
cfg.auto_select_ipus = 1
cfg.configure_ipu_system()
with ipu.ipu_strategy.IPUStrategy().scope():
    m = tf.keras.Sequential([tf.keras.layers.Dense(8, input_shape=(4,)), tf.keras.layers.Dense(1)])
    m.compile("sgd", "mse", steps_per_execution=2)
    m.fit(np.zeros((64, 4)), np.zeros((64, 1)), batchsize=8)
