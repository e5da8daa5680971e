# {"warning": "python/ignored", "says": "the weights that set_weights() gives are left out"}
import numpy as np
from tensorflow import keras

model = keras.Sequential([keras.layers.Dense(1, input_shape=(8,))])
model.layers[0].set_weights([np.full((8, 1), 0.25, np.float32), np.zeros(1, np.float32)])
model.compile("sgd", "mse")
