# {"config": [1, "units", 12]}
import contextlib
import tensorflow as tf

left = []


class Room:
    def __init__(self, name):
        self.name = name

    def __enter__(self):
        return self

    def __exit__(self, kind, value, trace):
        left.append(self.name if kind is None else "error")
        return False


with Room("outer"), contextlib.suppress(ValueError):
    raise ValueError("ends inside")
assert left == ["outer"]
m = tf.keras.Sequential([tf.keras.layers.Dense(12 * len(left), input_shape=(8,))])
m.compile("sgd", "mse")
