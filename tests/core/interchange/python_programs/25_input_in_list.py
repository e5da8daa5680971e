# {"parameters": 898, "batch": 8}
import tensorflow as tf
from tensorflow.python import ipu

class Block(tf.keras.layers.Layer):
    def __init__(self, filters, **kwargs):
        super().__init__(**kwargs)
        self.body = tf.keras.Sequential([tf.keras.layers.Conv2D(filters, 3, padding="same"), tf.keras.layers.ReLU()])

    def call(self, x):
        return tf.nn.relu(self.body(x) + x)

with ipu.ipu_strategy.IPUStrategy().scope():
    model = tf.keras.Sequential([
        tf.keras.layers.InputLayer((64, 64, 3)),
        tf.keras.layers.Conv2D(8, 3),
        Block(8),
        tf.keras.layers.GlobalAveragePooling2D(),
        tf.keras.layers.Dense(10)])
    model.compile("sgd", "mse")
    model.fit(tf.zeros((64, 64, 64, 3)), tf.zeros((64, 10)), batch_size=8)
