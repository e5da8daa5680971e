# {"precision": "float16", "casts": ["float16", "float16", "float32", "float16", "float32"]}
import tensorflow as tf
from tensorflow import keras
from tensorflow.python import ipu

keras.mixed_precision.set_global_policy("float16")


class Places(keras.layers.Layer):
    def build(self, shape):
        self.places = self.add_weight("places", (1,) + tuple(shape[1:]))

    def call(self, x):
        y = x + tf.cast(self.places, x.dtype)
        y = y * tf.cast(self.places, self.compute_dtype)
        return y + tf.cast(tf.cast(x, tf.float32) * 2.0, x.dtype)


class Whole(keras.layers.Layer):
    def __init__(self):
        super().__init__(dtype="float32")

    def call(self, x):
        return tf.cast(x, self.compute_dtype)


with ipu.ipu_strategy.IPUStrategy().scope():
    inputs = keras.Input((6, 8))
    x = Places()(keras.layers.Dense(8)(inputs))
    model = keras.Model(inputs, Whole()(keras.layers.Dense(2)(x)))
    model.compile("adam", "mse")
