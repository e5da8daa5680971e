# {"config": [1, "units", 4], "warning": "python/ignored", "says": "of the metaclass Registry"}
import tensorflow as tf


class Registry(type):
    def __new__(mcs, name, bases, namespace):
        return super().__new__(mcs, name, bases, namespace)


class Net(metaclass=Registry):
    units = 4


m = tf.keras.Sequential([tf.keras.layers.Dense(Net.units, input_shape=(8,))])
m.compile("sgd", "mse")
