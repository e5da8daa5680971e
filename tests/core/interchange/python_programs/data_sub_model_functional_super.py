# {"classes": ["InputLayer", "Dense", "Dense"], "input": [null, 16]}
import tensorflow as tf
from tensorflow import keras
from tensorflow.python import ipu

cfg = ipu.config.IPUConfig()
cfg.auto_select_ipus = 1
cfg.configure_ipu_system()
strategy = ipu.ipu_strategy.IPUStrategy()

class Wide(tf.keras.Model):
    def __init__(self, units):
        inp = keras.Input(shape=(16,))
        out = keras.layers.Dense(3)(keras.layers.Dense(units)(inp))
        super().__init__(inputs=inp, outputs=out, name="wide")
with strategy.scope():
    m = Wide(24)
    m.compile("adam", "mse")
