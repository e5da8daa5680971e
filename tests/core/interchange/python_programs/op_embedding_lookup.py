# {"classes": ["InputLayer", "Embedding"], "config": [1, "input_dim", 50]}
import tensorflow as tf
from tensorflow import keras
from tensorflow.python import ipu
i = keras.Input((5,), dtype='int32')
x = i
t = tf.compat.v1.get_variable('t', shape=[50, 8])
x = ipu.embedding_ops.embedding_lookup(t, x, serialization_factor=2)
inputs = [i]
model = keras.Model(inputs, x)
