# {"parameters": 111}
from collections import Counter
from types import MappingProxyType
import tensorflow as tf
SETTINGS = MappingProxyType({"units": 3})
widths = Counter({8: 1, 4: 2})
model = tf.keras.Sequential([tf.keras.layers.Dense(width) for width in widths.elements()])
model.add(tf.keras.layers.Dense(SETTINGS["units"]))
model.build((None, 4))
