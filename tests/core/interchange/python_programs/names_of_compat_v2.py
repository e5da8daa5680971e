# {"parameters": 41, "optimizer": "Adam"}
import tensorflow.compat.v2 as tf
m = tf.keras.Sequential([tf.keras.layers.Dense(4, input_shape=(8,)), tf.keras.layers.Dense(1)])
m.compile("adam", "mse")
