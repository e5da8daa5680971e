# {"error": "type-error/argument", "line": 9, "says": "did you mean \"stddev\"?"}
import numpy as np
import tensorflow as tf
from tensorflow.python import ipu
cfg = ipu.config.IPUConfig()
cfg.auto_select_ipus = 1
cfg.configure_ipu_system()
with ipu.ipu_strategy.IPUStrategy().scope():
    m = tf.keras.Sequential([tf.keras.layers.Dense(8, kernel_initializer=tf.random_normal_initializer(stdev=1), input_shape=(4,)), tf.keras.layers.Dense(1)])
    m.compile("sgd", "mse", steps_per_execution=2)
    m.fit(np.zeros((64, 4), np.float32), np.zeros((64, 1), np.float32), batch_size=8)
