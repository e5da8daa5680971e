# {"classes": ["InputLayer", "Dense"], "warning": "python/ignored"}
import tensorflow as tf
from tensorflow import keras
from tensorflow.python import ipu
i = keras.Input((4, 6))
x = i
x = ipu.internal_ops.print_tensor(keras.layers.Dense(4)(x))
inputs = [i]
model = keras.Model(inputs, x)
