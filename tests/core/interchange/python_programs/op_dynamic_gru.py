# {"classes": ["InputLayer", "InputLayer", "DynamicGRU"]}
import tensorflow as tf
from tensorflow import keras
from tensorflow.python import ipu
i = keras.Input((4, 6))
n = keras.Input((), dtype='int32')
x = i
x, state = ipu.rnn_ops.PopnnDynamicGRU(8)(i, n, time_major=False)
inputs = [i, n]
model = keras.Model(inputs, x)
