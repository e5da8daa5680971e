# {"input": [8, 2, 4], "no_warning": "layer/shape", "parameters": 8}
import tensorflow as tf
from tensorflow import keras


class Tokens(keras.layers.Layer):
    def build(self, shape):
        self.bias = self.add_weight(name="bias", shape=(2, 4))

    def call(self, t):
        b = tf.shape(t)[0]
        t = tf.reshape(t, (b, -1, 4)) + self.bias
        b, n, d = tf.unstack(tf.shape(t))
        return tf.reshape(t, [b, n * d])


inputs = keras.Input((2, 4), batch_size=8)
model = keras.Model(inputs, Tokens()(inputs))
model.compile("sgd", "mse")
