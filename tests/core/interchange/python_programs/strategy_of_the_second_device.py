# {"ipus": 2, "replicas": 2}
import numpy as np
import tensorflow as tf
from tensorflow.python import ipu
cfg = ipu.config.IPUConfig()
cfg.auto_select_ipus = [1, 2]
cfg.configure_ipu_system()
with ipu.ipu_strategy.IPUStrategy("/device:IPU:1").scope():
    m = tf.keras.Sequential([tf.keras.layers.Dense(8, input_shape=(4,)), tf.keras.layers.Dense(1)])
    m.compile("sgd", "mse", steps_per_execution=2)
    m.fit(np.zeros((64, 4)), np.zeros((64, 1)), batch_size=8)
