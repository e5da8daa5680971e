# {"classes": ["InputLayer", "InputLayer", "InputLayer", "InputLayer", "CTCLoss"], "config": [4, "time_major", true]}
import tensorflow as tf
from tensorflow import keras
from tensorflow.python import ipu
i = keras.Input((2, 5), batch_size=6)
j = keras.Input((3,), batch_size=2, dtype='int32')
n = keras.Input((), batch_size=2, dtype='int32')
m = keras.Input((), batch_size=2, dtype='int32')
x = i
x = ipu.nn_ops.ctc_loss_v2(j, i, n, m, blank_index=0)
inputs = [i, j, n, m]
model = keras.Model(inputs, x)
