# {"error": "python/value", "line": 12, "says": "this condition is on a tensor, whose numbers only a run knows"}
import tensorflow as tf
from tensorflow import keras


class Damped(keras.layers.Layer):
    def __init__(self):
        super().__init__()
        self.dense = keras.layers.Dense(4)

    def call(self, t):
        if tf.reduce_mean(t) > 0.5:
            t = t * 0.5
        return self.dense(t)


inputs = keras.Input((8,))
model = keras.Model(inputs, Damped()(inputs))
model.compile("sgd", "mse")
