# {"error": "python/name", "line": 5, "says": "no output of the model"}
import tensorflow as tf
i = tf.keras.Input((3,))
m = tf.keras.Model(i, [tf.keras.layers.Dense(1, name="a")(i), tf.keras.layers.Dense(1, name="b")(i)])
m.compile("sgd", "mse", loss_weights={"a": 1.0, "zz": 2.0})
