# {"error": "type-error/argument", "line": 6, "says": "did you mean \"batch_size\"?"}
import numpy as np
import tensorflow as tf
m = tf.keras.Sequential([tf.keras.layers.Dense(1, input_shape=(3,))])
m.compile("sgd", "mse")
m.fit(np.zeros((8, 3)), np.zeros((8, 1)), bach_size=4, epochs=2)
