# {"classes": ["InputLayer", "Dense", "TFOpLambda", "TFOpLambda", "Dense", "TFOpLambda"], "parameters": 63}
import tensorflow as tf


def curve(x):
    return tf.maximum(0.1, tf.math.softplus(x))


given = tf.keras.Input((4,))
hidden = tf.keras.layers.Dense(9, activation=curve)(given)
answer = tf.keras.layers.Dense(2, activation=lambda t: 3.0 * t, use_bias=False)(hidden)
net = tf.keras.Model(given, answer)
net.compile("sgd", "mse")
net.fit(tf.zeros([64, 4]), tf.zeros([64, 2]), batch_size=8)
