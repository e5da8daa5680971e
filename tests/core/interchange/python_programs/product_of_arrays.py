# {"parameters": 34}
import numpy as np
from tensorflow import keras

angles = np.linspace(0, 1, 40)
plane = np.stack([np.cos(angles), np.sin(angles)], axis=1)
x = plane @ np.random.default_rng(0).normal(size=(2, 16))
model = keras.Sequential([keras.layers.Dense(2)])
model.compile("sgd", "mse")
model.fit(x.astype(np.float32), np.zeros((40, 2), np.float32), batch_size=8)
