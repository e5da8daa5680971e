# {"parameters": 21, "loss": "MeanAbsoluteError"}
from collections import ChainMap
import tensorflow as tf
settings = ChainMap({"units": 3}, {"units": 8, "loss": "mae"})
m = tf.keras.Sequential([tf.keras.layers.Dense(settings["units"], input_shape=(6,))])
m.compile("sgd", settings["loss"])
