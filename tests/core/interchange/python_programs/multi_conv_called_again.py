# {"classes": ["InputLayer", "InputLayer", "MultiConv", "TFOpLambda"], "parameters": 168}
import tensorflow as tf
from tensorflow import keras
from tensorflow.python import ipu
first, second = keras.layers.Conv2D(4, 3), keras.layers.Conv2D(2, 3)


@ipu.nn_ops.multi_conv
def convolutions(x):
    return first(x), second(x)


i, j = keras.Input((16, 16, 3), batch_size=8), keras.Input((16, 16, 3), batch_size=8)
model = keras.Model([i, j], tf.concat([*convolutions(i), *convolutions(j)], -1))
model.predict([tf.zeros((64, 16, 16, 3)), tf.zeros((64, 16, 16, 3))], batch_size=8)
