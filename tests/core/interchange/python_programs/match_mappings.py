# {"config": [1, "units", 10]}
import numpy as np
import tensorflow as tf
import random
from tensorflow.keras import Sequential, layers
from tensorflow import keras
x = np.zeros((64, 3), np.float32)
y = np.zeros((64, 4), np.float32)
conf = {"kind": "mlp", "sizes": [7, 8, 9], "z": 1}
match conf:
    case {"kind": "cnn"}:
        u = 2
    case {"kind": "mlp" | "ffn", "sizes": [first, *rest], **others}:
        u = first + len(rest) + len(others)
m = Sequential([layers.Dense(u, input_shape=(3,)), layers.Dense(4)])
m.compile("sgd", "mse")
m.fit(x, y, batch_size=8)
