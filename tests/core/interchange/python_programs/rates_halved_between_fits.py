# {"classes": ["InputLayer", "Dense"], "epochs": 4, "callbacks": [{"class_name": "LearningRateScheduler", "config": {"schedule": [0.01, 0.01, 0.005, 0.0025]}}], "no_warning": "python/ignored"}
import numpy as np
import tensorflow as tf
from tensorflow.keras import backend as K

x, y = np.zeros((64, 8), "float32"), np.zeros((64, 1), "float32")
model = tf.keras.Sequential([tf.keras.layers.Dense(1, input_shape=(8,))])
model.compile("sgd", "mse")
model.fit(x, y, batch_size=16, epochs=2)
for phase in range(2):
    K.set_value(model.optimizer.lr, K.get_value(model.optimizer.lr) * 0.5)
    model.fit(x, y, batch_size=16, epochs=1)
