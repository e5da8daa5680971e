# {"classes": ["InputLayer", "Dense", "Dense", "Dense", "Dense", "Dense", "Dense", "Dense", "Dense", "Dropout"], "parameters": 261}
import numpy as np
import tensorflow as tf
bins = np.linspace(0, 8, 4, endpoint=False)
left, middle, right = bins[1:4]
a, *rest = np.array([2, 4, 6])
clipped = np.clip(np.array([1, 9]), 2, 8)
rate, _ = np.array([0.26, 2.5]).round(1)
geometric = np.geomspace(1, 64, 3)
powers = np.logspace(0, 2, 3, base=4)
bucket = np.digitize(np.array([0.2, 6.4, 3.0]), [0.0, 1.0, 2.5, 4.0])
(p, q), (r, s) = np.array([[1, 2], [3, 4]])
chosen = np.where(np.array([1, 2]) > 1, np.where(np.array([1, 2]) > 0, 5, 6), 7)
layers = tf.keras.layers
model = tf.keras.Sequential([
    layers.Dense(a, input_shape=(4,)),
    layers.Dense(int(middle)),
    layers.Dense(rest[1]),
    layers.Dense(clipped[1]),
    layers.Dense(int(round(geometric[1]))),
    layers.Dense(int(powers[1])),
    layers.Dense(bucket[1]),
    layers.Dense(chosen[0] - q - s + 4),
    layers.Dropout(rate),
])
model.compile("sgd", "mse")
