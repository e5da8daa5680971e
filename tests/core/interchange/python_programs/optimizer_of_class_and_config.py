# {"optimizer": "SGD", "optimizer_config": {"learning_rate": 0.5}}
import tensorflow as tf
from tensorflow import keras
m = keras.Sequential([keras.layers.Dense(4, input_shape=(8,))])
m.compile(keras.optimizers.deserialize({"class_name": "SGD", "config": {"learning_rate": 0.5}}), "mse")
m.fit(tf.zeros((64, 8)), tf.zeros((64, 4)), batch_size=8)
