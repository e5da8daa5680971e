# {"classes": ["InputLayer", "Dropout"], "config": [1, "rate", 0.25]}
import tensorflow as tf
from tensorflow import keras
from tensorflow.python import ipu
i = keras.Input((4, 6))
x = i
x = ipu.rand_ops.dropout(x, 0.25)
inputs = [i]
model = keras.Model(inputs, x)
