# {"parameters": 37, "input": [8, 5, 3], "batch": 8}
import tensorflow as tf


class Cell(tf.keras.layers.Layer):
    def __init__(self, units, **kw):
        super().__init__(**kw)
        self.units = units
        self.state_size = units
        self.dense = tf.keras.layers.Dense(units)

    def call(self, inputs, states):
        out = self.dense(inputs) + states[0]
        return out, [out]


i = tf.keras.Input((5, 3), batch_size=8)
h = tf.keras.layers.RNN(Cell(4), True)(i)
assert h.shape == (8, 5, 4)
h = tf.keras.layers.Flatten()(h)
assert h.shape == (8, 20)
h = tf.keras.layers.Dense(1)(h)
m = tf.keras.Model(i, h)
m.compile("sgd", "mse")
m.fit(tf.zeros((64, 5, 3)), tf.zeros((64, 1)), batch_size=8)
