# {"classes": ["InputLayer", "Dense"], "epochs": 3, "callbacks": [{"class_name": "LearningRateScheduler", "config": {"schedule": [0.25, 0.125, 0.0625]}}]}
import numpy as np
import tensorflow as tf

x, y = np.zeros((64, 8), "float32"), np.zeros((64, 1), "float32")
model = tf.keras.Sequential([tf.keras.layers.Dense(1, input_shape=(8,))])
model.compile("sgd", "mse")
rates = tf.keras.callbacks.LearningRateScheduler(lambda epoch: 0.5 ** epoch)
model.fit(x, y, 16, 5, 1, [rates], 0.0, None, True, None, None, 2)
