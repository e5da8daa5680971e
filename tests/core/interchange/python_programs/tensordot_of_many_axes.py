# {"error": "python/unsupported", "says": "tensordot"}
import tensorflow as tf

x = tf.keras.Input((8,), batch_size=4)
y = tf.tensordot(x, x, axes=1000000000)
m = tf.keras.Model(x, y)
m.compile("sgd", "mse")
