# {"parameters": 71}
import numpy as np
from tensorflow import keras

rate = np.clip(np.round(np.interp(4, [0, 8], [0.0, 1.0]), 2), 0, 0.4)
units = int(np.power(2, 3) + np.round(1.5) - np.clip(3, 0, 1))
model = keras.Sequential([keras.layers.Dense(units, input_shape=(4,)), keras.layers.Dropout(rate),
                          keras.layers.Dense(2), keras.layers.Dense(2)])
