# {"error": "python/unsupported", "line": 14}
import tensorflow as tf
from tensorflow import keras
from tensorflow.python import ipu

cfg = ipu.config.IPUConfig()
cfg.auto_select_ipus = 1
cfg.configure_ipu_system()
strategy = ipu.ipu_strategy.IPUStrategy()

from my_layers import SqueezeExcite
with strategy.scope():
    i = keras.Input((8, 8, 3))
    x = SqueezeExcite(4)(i)
    m = keras.Model(i, keras.layers.Flatten()(x))
    m.compile("sgd", "mse")
