# {"parameters": 18, "batch": 12, "loss": "MeanSquaredError"}
import collections
import tensorflow as tf


class Models:
    made = {}

    @classmethod
    def add(cls, name):
        def keep(function):
            cls.made[name] = function
            return function
        return keep


@Models.add("small")
def small(units):
    return tf.keras.Sequential([tf.keras.layers.Dense(units, input_shape=(8,))])


counts = collections.Counter(["small", "large", "small"])
net = Models.made["small"](counts["small"])
net.compile("sgd", loss=tf.losses.mse)
for _ in range(10):
    net.train_on_batch(tf.zeros([12, 8]), tf.zeros([12, 2]))
