# {"classes": ["InputLayer", "Dense"], "batch": 16, "steps_per_epoch": null, "epochs": 2, "warning": "python/unknown-samples"}
import numpy as np
import tensorflow as tf

with np.load("/data/somewhere.npz") as archive:
    x, y = archive["x"], archive["y"]
model = tf.keras.Sequential([tf.keras.layers.Dense(2, input_shape=(7,))])
model.compile("sgd", "mse")
model.fit(x[:320], y[:320], batch_size=16, epochs=2)
