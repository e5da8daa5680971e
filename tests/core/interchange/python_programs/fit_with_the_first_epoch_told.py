# {"classes": ["InputLayer", "Dense"], "epochs": 16, "no_warning": "python/replaced"}
import numpy as np
import tensorflow as tf

x, y = np.zeros((64, 8), "float32"), np.zeros((64, 1), "float32")
model = tf.keras.Sequential([tf.keras.layers.Dense(1, input_shape=(8,))])
model.compile("sgd", "mse")
for phase in range(2):
    model.fit(x, y, batch_size=16, epochs=5, initial_epoch=0)
model.fit(x, y, batch_size=16, epochs=10, initial_epoch=7)
model.fit(x, y, batch_size=16, epochs=4, initial_epoch=1)
