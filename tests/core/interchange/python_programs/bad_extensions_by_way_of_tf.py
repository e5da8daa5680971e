# {"error": "python/unsupported", "line": 5}
import tensorflow as tf
from tensorflow import keras

cfg = tf.python.ipu.config.IPUConfig()
cfg.auto_select_ipus = 1
cfg.configure_ipu_system()
model = keras.Sequential([keras.layers.Dense(2, input_shape=(4,))])
