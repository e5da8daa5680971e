# {"classes": ["InputLayer", "PopnnGRU"], "config": [1, "recurrent_initializer", "glorot_uniform"]}
import tensorflow as tf
from tensorflow import keras
from tensorflow.python import ipu
x = keras.Input((4, 6))
y, _ = ipu.rnn_ops.PopnnGRU(8)(x)
model = keras.Model(x, y)
