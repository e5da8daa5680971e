# {"config": [1, "units", 3]}
import functools
import tensorflow as tf


@functools.total_ordering
class Version:
    def __init__(self, *parts):
        self.parts = parts

    def __eq__(self, other):
        return self.parts == other.parts

    def __lt__(self, other):
        return self.parts < other.parts


assert Version(2, 6) >= Version(2, 5) and not Version(2, 6) <= Version(2, 5)
assert Version(2, 6) in [Version(1, 0), Version(2, 6)] and Version(1) != Version(2)
best = max([Version(1), Version(3), Version(2)])
m = tf.keras.Sequential([tf.keras.layers.Dense(best.parts[0], input_shape=(8,))])
m.compile("sgd", "mse")
