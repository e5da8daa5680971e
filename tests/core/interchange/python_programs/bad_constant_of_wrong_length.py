# {"error": "value-error/constant-initializer", "line": 7, "says": "bias has 4 numbers, and its Constant initializer gives 3"}
import tensorflow as tf
from tensorflow.python import ipu

with ipu.ipu_strategy.IPUStrategy().scope():
    i = tf.keras.Input((3,), batch_size=4)
    x = tf.keras.layers.Dense(4, bias_initializer=tf.keras.initializers.Constant([1.0, 2.0, 3.0]), name="d")(i)
    m = tf.keras.Model(i, x)
    m.compile("sgd", "mse")
