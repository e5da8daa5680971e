# {"config": [1, "units", 5]}
import numpy as np
import tensorflow as tf
import random
from tensorflow.keras import Sequential, layers
from tensorflow import keras
x = np.zeros((64, 3), np.float32)
y = np.zeros((64, 4), np.float32)
import enum
class K(enum.Enum):
    A = 1
    B = 2
k = K.B
match k:
    case K.A:
        u = 2
    case K.B if x.shape[0] == 64:
        u = 5
m = Sequential([layers.Dense(u, input_shape=(3,)), layers.Dense(4)])
m.compile("sgd", "mse")
m.fit(x, y, batch_size=8)
