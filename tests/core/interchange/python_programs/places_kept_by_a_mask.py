# {"parameters": 8}
import numpy as np
import tensorflow as tf
from tensorflow.python import ipu
cfg = ipu.config.IPUConfig(); cfg.auto_select_ipus = 1; cfg.configure_ipu_system()
L = tf.keras.layers
with ipu.ipu_strategy.IPUStrategy().scope():
    i = tf.keras.Input((8, 4))
    y = tf.boolean_mask(i, [True, False, True, True], axis=2)
    m = tf.keras.Model(i, L.Dense(2)(y))
    m.compile("sgd", "mse")
