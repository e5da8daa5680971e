# {"error": "python/unsupported", "says": "step by step"}
import tensorflow as tf
from tensorflow.python import ipu
class Cell(tf.keras.layers.Layer):
    def __init__(self, units, **kw):
        super().__init__(**kw)
        self.units = units
        self.state_size = units
        self.output_size = units
    def build(self, shape):
        self.kernel = self.add_weight(shape=(shape[-1], self.units), initializer="uniform", name="kernel")
        self.rec = self.add_weight(shape=(self.units, self.units), initializer="uniform", name="rec")
        self.built = True
    def call(self, inputs, states):
        prev = states[0]
        h = tf.matmul(inputs, self.kernel)
        out = tf.tanh(h + tf.matmul(prev, self.rec))
        return out, [out]
with ipu.ipu_strategy.IPUStrategy().scope():
    i = tf.keras.Input((None, 3), batch_size=8)
    h = tf.keras.layers.RNN(Cell(16))(i)
    m = tf.keras.Model(i, tf.keras.layers.Dense(2)(h))
    m.compile("sgd", "mse")
    m.fit(tf.zeros((64, 5, 3)), tf.zeros((64, 2)), batch_size=8)
