# {"error": "python/unsupported", "line": 4}
import tensorflow as tf
inputs = tf.keras.Input((6, 10))
x = tf.keras.layers.Lambda(lambda t: tf.map_fn(lambda row: tf.reduce_sum(row, axis=0), t))(inputs)
model = tf.keras.Model(inputs, x)
