# {"classes": ["InputLayer", "Activation", "Dense"]}
import tensorflow as tf
from tensorflow import keras
from tensorflow.python import ipu
i = keras.Input((4, 6))
x = i
x = keras.layers.Lambda(lambda t: ipu.nn_ops.gelu(t))(x)
x = keras.layers.Dense(4)(x)
inputs = [i]
model = keras.Model(inputs, x)
