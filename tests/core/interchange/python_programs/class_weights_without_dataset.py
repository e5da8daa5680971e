# {"classes": ["InputLayer", "Dense"], "epochs": 5, "class_weights": [1.0, 1.0, 4], "no_warning": "python/ignored"}
import numpy as np
import tensorflow as tf

model = tf.keras.Sequential([tf.keras.layers.Dense(3, input_shape=(8,))])
model.compile("sgd", tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True))
model.fit(np.zeros((64, 8)), np.zeros((64,), "int32"), batch_size=16, epochs=5, class_weight={0: 1.0, 2: 4})
