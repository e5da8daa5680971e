# {"classes": ["InputLayer", "InputLayer", "SerializedMatmul"]}
import tensorflow as tf
from tensorflow import keras
from tensorflow.python import ipu
i = keras.Input((4, 6))
j = keras.Input((6, 4))
x = i
x = ipu.math_ops.serialized_matmul(x, j, 2, 'a_columns')
inputs = [i, j]
model = keras.Model(inputs, x)
