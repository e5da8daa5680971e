# {"classes": ["InputLayer", "Dense"], "epochs": 4, "warning": "python/ignored"}
import numpy as np
import tensorflow as tf

x, y = np.zeros((64, 8), "float32"), np.zeros((64, 1), "float32")
model = tf.keras.Sequential([tf.keras.layers.Dense(1, input_shape=(8,))])
model.compile("sgd", "mse")
plateau = tf.keras.callbacks.ReduceLROnPlateau(monitor="loss")
model.fit(x, y, batch_size=16, epochs=2, callbacks=[plateau])
model.optimizer.learning_rate = 0.25
model.fit(x, y, batch_size=16, epochs=2, callbacks=[plateau])
