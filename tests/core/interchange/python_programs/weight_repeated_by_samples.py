# {"parameters": 59, "effective_batch": 4}
import tensorflow as tf
from tensorflow.python import ipu


class Tokens(tf.keras.layers.Layer):
    def __init__(self, repeated, **keywords):
        super().__init__(**keywords)
        self.repeated = repeated

    def build(self, shape):
        self.token = self.add_weight(name="token", shape=(1, 1, shape[-1]), initializer="zeros")

    def call(self, x):
        return tf.concat([self.repeated(self.token, x), x], axis=1)


with ipu.ipu_strategy.IPUStrategy().scope():
    inputs = tf.keras.Input((16, 8), batch_size=4)
    x = Tokens(lambda token, x: tf.repeat(token, repeats=x.shape[0], axis=0))(inputs)
    x = Tokens(lambda token, x: tf.tile(token, [tf.shape(x)[0], 1, 1]))(x)
    x = Tokens(lambda token, x: tf.broadcast_to(token, [tf.shape(x)[0], 1, x.shape[-1]]))(x)
    x = Tokens(lambda token, x: tf.keras.backend.repeat_elements(token, 4, axis=0))(x)
    model = tf.keras.Model(inputs, tf.keras.layers.Dense(3)(x))
    model.compile("adam", "mse")
