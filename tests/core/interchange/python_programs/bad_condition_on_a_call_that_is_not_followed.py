# {"error": "python/unsupported", "says": "np.unwrap() at 4:10"}
import numpy as np
import tensorflow as tf
angles = np.unwrap(np.array([0.0, 6.4, 3.0]))
model = tf.keras.Sequential([tf.keras.layers.Dense(4, input_shape=(4,))])
if angles[1] > 3:
    model.add(tf.keras.layers.Dense(8))
model.compile("sgd", "mse")
