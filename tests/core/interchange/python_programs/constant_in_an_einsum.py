# {"no_warning": "layer/shape"}
import tensorflow as tf
i = tf.keras.Input((12, 16))
t = tf.keras.layers.Lambda(lambda x: tf.einsum('bsd,dv->bsv', x, tf.ones((16, 4))))(i)
m = tf.keras.Model(i, tf.keras.layers.Dense(1)(t))
m.compile("sgd", "mse")
