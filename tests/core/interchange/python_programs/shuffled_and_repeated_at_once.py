# {"classes": ["InputLayer", "Dense"], "batch": 4, "steps_per_epoch": 32, "shuffle": true}
import numpy as np
import tensorflow as tf

ds = tf.data.Dataset.from_tensor_slices((np.zeros((64, 3)), np.zeros((64, 1))))
ds = ds.apply(tf.data.experimental.shuffle_and_repeat(64, count=2)).batch(4, drop_remainder=True)
model = tf.keras.Sequential([tf.keras.layers.Dense(1, input_shape=(3,))])
model.compile("sgd", "mse")
model.fit(ds)
