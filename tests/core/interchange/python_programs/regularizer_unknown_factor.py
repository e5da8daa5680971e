# {"error": "python/value", "line": 4}
import tensorflow as tf
m = tf.keras.Sequential(
    [tf.keras.layers.Dense(4, kernel_regularizer=tf.keras.regularizers.L2(rate=5e-4), input_shape=(8,))])
m.compile("sgd", "mse")
