# {"parameters": 9, "loss": "LossFunction"}
import tensorflow as tf

given = tf.keras.Input((8,))
net = tf.keras.Model(given, tf.square(tf.keras.layers.Dense(1)(given)))
net.compile("sgd", loss=lambda y_true, y_pred: tf.reduce_mean(y_pred))
net.fit(tf.zeros([64, 8]), tf.zeros([64, 1]), batch_size=8)
