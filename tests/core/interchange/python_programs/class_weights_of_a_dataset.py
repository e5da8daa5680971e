# {"classes": ["InputLayer", "Dense"], "epochs": 5, "class_weights": [1.0, 1.0, 4.0], "no_warning": "python/ignored"}
import numpy as np
import tensorflow as tf

DATASET = {"kind": "npy", "inputs": "x.npy", "labels": "y.npy"}
x, y = np.load(DATASET["inputs"]), np.load(DATASET["labels"])
model = tf.keras.Sequential([tf.keras.layers.Dense(3, input_shape=(8,))])
model.compile("sgd", tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True))
model.fit(x, y, batch_size=16, epochs=5, class_weight={0: 1.0, 2: 4.0})
