# {"classes": ["InputLayer", "Conv1D", "TFOpLambda", "Dense"], "input": [null, 16, 4]}
import tensorflow as tf
from tensorflow import keras
from tensorflow.python import ipu

cfg = ipu.config.IPUConfig()
cfg.auto_select_ipus = 1
cfg.configure_ipu_system()
strategy = ipu.ipu_strategy.IPUStrategy()

from tensorflow.keras import backend as K
x = keras.Input((16, 4))
with strategy.scope():
    h = keras.layers.Conv1D(8, 3, padding="same")(x)
    h = keras.layers.Lambda(lambda t: K.mean(t, axis=1))(h)
    m = keras.Model(x, keras.layers.Dense(1)(h))
    m.compile("rmsprop", "mse")
