# {"error": "python/value", "line": 12}
import numpy as np
import tensorflow as tf
from tensorflow.python import ipu

x = np.random.rand(100, 4).astype("float32")
if np.mean(x) > 0.5:
    units = 32
else:
    units = 64
with ipu.ipu_strategy.IPUStrategy().scope():
    net = tf.keras.Sequential([tf.keras.layers.Dense(units, input_shape=(4,))])
    net.compile("sgd", "mse")
