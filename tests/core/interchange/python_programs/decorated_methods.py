# {"parameters": 128, "classes": ["InputLayer", "Dense", "TFOpLambda", "TFOpLambda", "TFOpLambda", "TFOpLambda", "TFOpLambda", "Dense", "TFOpLambda"], "batch": 8, "epochs": 3}
import functools

import numpy as np
import tensorflow as tf
from tensorflow.keras import layers


def scaled(factor):
    def decorate(function):
        @functools.wraps(function)
        def inner(*arguments, **keywords):
            return function(*arguments, **keywords) * factor
        return inner
    return decorate


class Base(tf.keras.Model):
    def __init__(self):
        super().__init__()
        self.dense = layers.Dense(8)

    @scaled(0.5)
    def call(self, x):
        return self.dense(x)

    @property
    @scaled(3)
    def epochs(self):
        return 1

    @staticmethod
    @scaled(0.25)
    def halved(x):
        return tf.nn.relu(x)

    @classmethod
    @scaled(2.0)
    def doubled(cls, x):
        return cls.last(x)

    @classmethod
    def last(cls, x):
        return tf.tanh(x)


class Net(Base):
    def __init__(self):
        super().__init__()
        self.head = layers.Dense(8)

    @scaled(4.0)
    def call(self, x):
        return self.head(self.halved(self.doubled(super().call(x))))


model = Net()
model.compile("sgd", "mse")
model.fit(np.zeros((64, 6), "f4"), np.zeros((64, 8), "f4"), batch_size=8, epochs=model.epochs)
