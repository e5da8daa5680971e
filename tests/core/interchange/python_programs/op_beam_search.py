# {"classes": ["InputLayer", "InputLayer", "CTCBeamSearch"]}
import tensorflow as tf
from tensorflow import keras
from tensorflow.python import ipu
i = keras.Input((2, 5), batch_size=6)
m = keras.Input((), batch_size=2, dtype='int32')
x = i
p, l, x = ipu.nn_ops.ctc_beam_search_decoder(i, m, beam_width=8)
inputs = [i, m]
model = keras.Model(inputs, x)
