# {"warning": "python/unknown-samples", "no_warning": "python/predicts-only", "steps_per_epoch": null, "batch": 32}
import numpy as np
import tensorflow as tf
model = tf.keras.Sequential([tf.keras.layers.Dense(4, input_shape=(8,))])
model.predict(np.zeros((20, 8), np.float32), batch_size=10)
model.compile("sgd", "mse")
data = np.load("samples.npz")
model.fit(data["x"], data["y"])
