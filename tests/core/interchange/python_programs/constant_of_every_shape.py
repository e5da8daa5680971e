# {"classes": ["InputLayer", "Dense", "Dense"]}
import tensorflow as tf
from tensorflow.python import ipu

with ipu.ipu_strategy.IPUStrategy().scope():
    i = tf.keras.Input((2,), batch_size=4)
    x = tf.keras.layers.Dense(2, kernel_initializer=tf.keras.initializers.Constant([[1.0, 2.0], [3.0, 4.0]]))(i)
    x = tf.keras.layers.Dense(3, bias_initializer=tf.keras.initializers.Constant([0.5]))(x)
    m = tf.keras.Model(i, x)
    m.compile("sgd", "mse")
