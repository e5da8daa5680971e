# {"config": [1, "kernel_regularizer", {"class_name": "L1", "config": {"l1": 0.7}}]}
import tensorflow as tf
from tensorflow.keras import regularizers
written = regularizers.serialize(regularizers.l1(0.7))
m = tf.keras.Sequential([tf.keras.layers.Dense(4, kernel_regularizer=regularizers.deserialize(written), input_shape=(8,))])
m.compile("sgd", "mse")
m.fit(tf.zeros((64, 8)), tf.zeros((64, 4)), batch_size=8)
