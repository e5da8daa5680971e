# {"classes": ["InputLayer", "Dense", "TFOpLambda", "TFOpLambda", "Dense", "TFOpLambda", "TFOpLambda", "Variable", "SlicingOpLambda", "TFOpLambda"], "input": [null, 16, 8]}
import functools
import tensorflow as tf
from tensorflow.keras import layers


class Scaled(layers.Layer):
    def __init__(self, width, **kwargs):
        super().__init__(**kwargs)
        self.query = layers.Dense(width, name="query", activation=functools.partial(tf.nn.leaky_relu, alpha=0.1))

    def call(self, x):
        depth = tf.cast(tf.shape(x)[-1], tf.float32)
        return tf.reshape(self.query(x), (-1, x.shape[1], 8)) / tf.math.sqrt(depth)


class Places(layers.Layer):
    def __init__(self, **kwargs):
        super().__init__(**kwargs)
        self.table = layers.Embedding(64, 8)

    def call(self, x):
        return x + self.table(tf.range(x.shape[1]))


i = layers.Input((16, 8))
x = Scaled(8, name="first")(i)
x = Scaled(8, name="second")(x)
x = Places()(x)
model = tf.keras.Model(i, x)
