# {"classes": ["InputLayer", "PopnnLSTM"], "config": [1, "time_major", true]}
import tensorflow as tf
from tensorflow import keras
from tensorflow.python import ipu
i = keras.Input((4, 6))
x = i
x, state = ipu.rnn_ops.PopnnLSTM(8)(x)
inputs = [i]
model = keras.Model(inputs, x)
