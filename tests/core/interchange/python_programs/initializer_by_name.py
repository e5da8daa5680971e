# {"config": [1, "kernel_initializer", {"class_name": "he_normal", "config": {}}], "optimizer": "Adam", "loss": "MeanSquaredError"}
import tensorflow as tf
from tensorflow import keras
m = keras.Sequential([keras.layers.Dense(
    4, kernel_initializer=keras.initializers.get("he_normal"), activation=keras.activations.get("relu"), input_shape=(8,))])
m.compile(keras.optimizers.get("adam"), keras.losses.get("mse"))
m.fit(tf.zeros((64, 8)), tf.zeros((64, 4)), batch_size=8)
