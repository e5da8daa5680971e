# {"classes": ["InputLayer", "Activation", "Activation"]}
import tensorflow as tf
from tensorflow import keras
from tensorflow.python import ipu
i = keras.Input((4, 6))
x = i
x = ipu.nn_ops.swish(ipu.nn_ops.hard_sigmoid(x))
inputs = [i]
model = keras.Model(inputs, x)
