# {"classes": ["InputLayer", "Conv2D", "Dense", "Flatten", "GlobalAveragePooling2D", "Dense", "Dense", "Reshape", "Multiply"], "input": [null, 16, 16, 3]}
import tensorflow as tf
from tensorflow import keras
from tensorflow.python import ipu

cfg = ipu.config.IPUConfig()
cfg.auto_select_ipus = 1
cfg.configure_ipu_system()
strategy = ipu.ipu_strategy.IPUStrategy()

def se(x, ratio=4):
    ch = x.shape[-1]
    s = keras.layers.GlobalAveragePooling2D()(x)
    s = keras.layers.Dense(ch // ratio, activation="relu")(s)
    s = keras.layers.Dense(ch, activation="sigmoid")(s)
    s = keras.layers.Reshape((1, 1, ch))(s)
    return keras.layers.Multiply()([x, s])
with strategy.scope():
    i = keras.Input((16, 16, 3))
    x = keras.layers.Conv2D(16, 3, strides=2, padding="same")(i)
    m = keras.Model(i, keras.layers.Dense(2)(keras.layers.Flatten()(se(x))))
    m.compile("sgd", "mse")
