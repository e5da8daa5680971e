# {"config": [1, "kernel_regularizer", {"class_name": "L2", "config": {}}]}
import tensorflow as tf
m = tf.keras.Sequential(
    [tf.keras.layers.Dense(4, kernel_regularizer=tf.keras.regularizers.get("l2"), input_shape=(8,))])
m.compile("sgd", "mse")
m.fit(tf.zeros((64, 8)), tf.zeros((64, 4)), batch_size=8)
