# {"error": "python/value", "line": 6, "says": "np.random.RandomState() at 4:9"}
import numpy as np
import tensorflow as tf
width = np.random.RandomState().randint(2, 9, size=4)
units = int(width[1] * 2 + 1)
model = tf.keras.Sequential([tf.keras.layers.Dense(units, input_shape=(4,))])
model.compile("sgd", "mse")
