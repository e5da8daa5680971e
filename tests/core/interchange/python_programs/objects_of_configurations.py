# {"optimizer": "Adam", "optimizer_config": {"learning_rate": 0.3, "beta_1": 0.7}, "loss": "Huber", "config": [1, "units", 4]}
import tensorflow as tf
from tensorflow import keras
config = keras.optimizers.Adam(0.3).get_config()
config["beta_1"] = 0.7
m = keras.Sequential([keras.layers.Dense.from_config({"units": 4, "input_shape": (8,)})])
loss = keras.losses.deserialize({"class_name": "Huber", "config": {"delta": 2.0}})
m.compile(keras.optimizers.Adam.from_config(config), loss)
m.fit(tf.zeros((64, 8)), tf.zeros((64, 4)), batch_size=8)
