# {"error": "value-error/loss-weight-count", "line": 5, "says": "1 loss_weights are given for 2 outputs"}
import tensorflow as tf
i = tf.keras.Input((3,))
m = tf.keras.Model(i, [tf.keras.layers.Dense(1, name="a")(i), tf.keras.layers.Dense(1, name="b")(i)])
m.compile("sgd", "mse", loss_weights=[1.0])
