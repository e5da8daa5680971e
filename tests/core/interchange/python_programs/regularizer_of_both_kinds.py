# {"config": [1, "kernel_regularizer", {"class_name": "L1L2", "config": {"l2": 0.3, "l1": 0.01}}]}
import tensorflow as tf
m = tf.keras.Sequential(
    [tf.keras.layers.Dense(4, kernel_regularizer=tf.keras.regularizers.l1_l2(l2=0.3), input_shape=(8,))])
m.compile("sgd", "mse")
m.fit(tf.zeros((64, 8)), tf.zeros((64, 4)), batch_size=8)
