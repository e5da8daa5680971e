# {"batch": 8, "warning": "python/dataset", "says": "program.py:7:1: warning: the samples are not part of the project"}
import numpy as np
import tensorflow as tf

model = tf.keras.Sequential([tf.keras.layers.Dense(1, input_shape=(3,))])
model.compile("sgd", "mse")
model.fit(np.zeros((64, 3)), np.zeros((64, 1)), batch_size=8, validation_data=(np.zeros((8, 3)), np.zeros((8, 1))))
