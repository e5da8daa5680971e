# {"classes": ["InputLayer", "Dense"], "epochs": 6, "optimizer_config": {"learning_rate": 0.5}, "callbacks": [{"class_name": "LearningRateScheduler", "config": {"schedule": [0.5, 0.5, 0.25, 0.25, 0.125, 0.0625]}}], "no_warning": "python/ignored"}
import numpy as np
import tensorflow as tf

x, y = np.zeros((64, 8), "float32"), np.zeros((64, 1), "float32")
model = tf.keras.Sequential([tf.keras.layers.Dense(1, input_shape=(8,))])
model.compile(tf.keras.optimizers.RMSprop(1e-3), "mse")
for rate in [0.5, 0.25]:
    model.optimizer.learning_rate = rate
    model.fit(x, y, batch_size=16, epochs=2)
model.optimizer.lr.assign(0.75)
model.optimizer.lr.assign(0.125)
model.fit(x, y, batch_size=16, epochs=1)
tf.keras.backend.set_value(model.optimizer.learning_rate, 0.0625)
model.fit(x, y, batch_size=16, epochs=1)
model.optimizer.lr = 2.0
