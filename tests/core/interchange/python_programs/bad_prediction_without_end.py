# {"error": "value-error/endless-dataset", "line": 5}
import numpy as np
import tensorflow as tf
model = tf.keras.Sequential([tf.keras.layers.Dense(4, input_shape=(8,))])
model.predict(tf.data.Dataset.from_tensor_slices(np.zeros((8000, 8))).batch(20, drop_remainder=True).repeat())
