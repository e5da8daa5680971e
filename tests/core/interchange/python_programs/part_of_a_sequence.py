# {"classes": ["Dense", "Dense", "InputLayer"], "parameters": 172, "no_warning": "layer/shape"}
import tensorflow as tf
from tensorflow.python import ipu
with ipu.ipu_strategy.IPUStrategy().scope():
    a = tf.keras.Sequential([tf.keras.layers.Dense(8, activation="relu"), tf.keras.layers.Dense(4), tf.keras.layers.Dense(2)])
    a.build((8, 16))
    m = tf.keras.Model(a.input, a.layers[-2].output)
    m.compile("sgd", "mse")
    m.fit(tf.zeros((64, 16)), tf.zeros((64, 4)), batch_size=8)
