# {"classes": ["InputLayer", "Dense", "Dense"], "input": [null, 20], "steps_per_epoch": 4, "batch": 16}
import tensorflow as tf
from tensorflow import keras
from tensorflow.python import ipu

cfg = ipu.config.IPUConfig()
cfg.auto_select_ipus = 1
cfg.configure_ipu_system()
strategy = ipu.ipu_strategy.IPUStrategy()

with strategy.scope():
    inp = keras.Input((20,))
    dense = keras.layers.Dense(8)
    head = keras.layers.Dense(2)
    m = keras.Model(inp, head(dense(inp)))
    other = keras.Input((20,))
    features = keras.Model(other, dense(other))
    m.compile("adam", "mse")
    m.fit(tf.zeros((64, 20)), tf.zeros((64, 2)), batch_size=16)
