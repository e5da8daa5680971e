# {"no_warning": "layer/shape"}
import tensorflow as tf
i = tf.keras.Input((12, 16), batch_size=8)
t = tf.keras.layers.Lambda(lambda x: tf.stack([x, tf.zeros((8, 12, 16))], 1))(i)
m = tf.keras.Model(i, tf.keras.layers.Dense(1)(t))
m.compile("sgd", "mse")
