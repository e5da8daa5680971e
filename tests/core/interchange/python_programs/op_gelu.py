# {"classes": ["InputLayer", "Activation"]}
import tensorflow as tf
from tensorflow import keras
from tensorflow.python import ipu
i = keras.Input((4, 6))
x = i
x = ipu.nn_ops.gelu(x)
inputs = [i]
model = keras.Model(inputs, x)
