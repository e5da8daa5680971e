# {"error": "keras/duplicate-name", "line": 12}
import numpy as np
import tensorflow as tf
from tensorflow.python import ipu
cfg = ipu.config.IPUConfig(); cfg.auto_select_ipus = 1; cfg.configure_ipu_system()
with ipu.ipu_strategy.IPUStrategy().scope():
    i = tf.keras.Input((4,))
    x = tf.keras.layers.Dense(4, name="fc")(i)
    print(x.shape)
    x = tf.keras.layers.Dense(4, name="fc")(x)
    print(x.shape)
    m = tf.keras.Model(i, x)
    m.compile("sgd", "mse")
    m.fit(np.zeros((64, 4), np.float32), np.zeros((64, 4), np.float32), batch_size=8)
