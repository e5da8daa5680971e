# {"classes": ["InputLayer", "Dense"], "batch": 8, "warning": "python/dataset", "says": "fit's \"validation_data\" is not part of the project"}
import numpy as np
import tensorflow as tf

x, y = np.load("samples.npy"), np.load("labels.npy")
model = tf.keras.Sequential([tf.keras.layers.Dense(1, input_shape=(3,))])
model.compile("sgd", "mse")
model.fit(x, y, batch_size=8, validation_data=(np.zeros((8, 3)), np.zeros((8, 1))))
