# {"warning": "python/predicts-only", "batch": 20, "steps_per_epoch": 200}
import numpy as np
import tensorflow as tf
ds = tf.data.Dataset.from_tensor_slices((np.zeros((8000, 8)), np.zeros((8000, 4)))).batch(20, drop_remainder=True)
model = tf.keras.Sequential([tf.keras.layers.Dense(4, input_shape=(8,))])
model.compile(loss="mse", steps_per_execution=40)
model.evaluate(ds.repeat(), steps=200)
