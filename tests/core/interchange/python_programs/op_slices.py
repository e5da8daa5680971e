# {"classes": ["InputLayer", "InputLayer", "InputLayer", "InputLayer", "InputLayer", "SequenceSlice"]}
import tensorflow as tf
from tensorflow import keras
from tensorflow.python import ipu
i = keras.Input((3,), batch_size=4)
j = keras.Input((3,), batch_size=4)
n = keras.Input((), batch_size=2, dtype='int32')
s = keras.Input((), batch_size=2, dtype='int32')
d = keras.Input((), batch_size=2, dtype='int32')
x = i
x = ipu.slicing_ops.sequence_slice(i, j, n, s, d, zero_unused=True)
inputs = [i, j, n, s, d]
model = keras.Model(inputs, x)
