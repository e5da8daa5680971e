# {"classes": ["InputLayer", "MultiConv", "TFOpLambda", "MultiConv", "TFOpLambda"], "no_warning": "python/ignored", "parameters": 990}
import tensorflow as tf
from tensorflow import keras
from tensorflow.python import ipu
first, second = keras.layers.Conv2D(8, 3, padding="same"), keras.layers.Conv2D(4, 3, padding="same")
third, fourth = keras.layers.Conv2D(4, 3), keras.layers.Conv2D(2, 3)


class Block(keras.layers.Layer):
    @ipu.nn_ops.multi_conv
    def convolutions(self, x):
        return first(x), second(x)

    def call(self, x):
        return tf.concat(self.convolutions(x), -1)


i = keras.Input((16, 16, 3), batch_size=8)
x = Block()(i)
a, b = ipu.nn_ops.multi_conv(lambda p, q: (third(p), fourth(q)))(x, x)
model = keras.Model(i, tf.concat([a, b], -1))
model.predict(tf.zeros((64, 16, 16, 3)), batch_size=8)
