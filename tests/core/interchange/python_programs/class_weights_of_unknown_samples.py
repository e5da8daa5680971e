# {"classes": ["InputLayer", "Dense"], "batch": 16, "class_weights": null, "warning": "python/ignored", "says": "is left out: the project has no dataset yet that could say it"}
import numpy as np
import tensorflow as tf

x, y = np.load("samples.npy"), np.load("labels.npy")
model = tf.keras.Sequential([tf.keras.layers.Dense(2, input_shape=(8,))])
model.compile("sgd", tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True))
model.fit(x, y, batch_size=16, class_weight={0: 1.0, 1: 3.0})
