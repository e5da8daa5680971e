# {"classes": ["InputLayer", "Dense", "Dense"], "warning": "python/ignored", "says": "leads to no output of the model"}
import tensorflow as tf
class Block(tf.keras.layers.Layer):
    def __init__(self, **kwargs):
        super().__init__(**kwargs)
        self.hidden = tf.keras.layers.Dense(8, activation="relu")
        self.back = tf.keras.layers.Dense(6)
        self.ahead = tf.keras.layers.Dense(2)
    def call(self, x):
        h = self.hidden(x)
        return self.back(h), self.ahead(h)
i = tf.keras.Input((6,))
_, ahead = Block()(i)
model = tf.keras.Model(i, ahead)
model.compile("sgd", "mse")
