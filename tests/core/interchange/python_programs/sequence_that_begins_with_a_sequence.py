# {"parameters": 31, "effective_batch": 8}
import tensorflow as tf
from tensorflow.python import ipu
cfg = ipu.config.IPUConfig(); cfg.auto_select_ipus = 1; cfg.configure_ipu_system()
x = tf.zeros([64, 4])
with ipu.ipu_strategy.IPUStrategy().scope():
    model = tf.keras.Sequential([tf.keras.Sequential([tf.keras.layers.Dense(3)], name="enc"), tf.keras.Sequential([tf.keras.layers.Dense(4)], name="dec")])
    model.compile("sgd", "mse")
    model.fit(x, x, batch_size=8)
