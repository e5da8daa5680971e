# {"input": [null, 28, 28, 1], "steps_per_epoch": 2, "batch": 100}
import numpy as np
import tensorflow as tf
from tensorflow.keras import Sequential, layers

class AE(tf.keras.Model):
    def __init__(self, **kw):
        super().__init__(**kw)
        self.enc = Sequential([layers.Input(shape=(28, 28, 1)), layers.Conv2D(8, 3, padding="same")])
        self.dec = Sequential([layers.Conv2D(1, 3, padding="same")])
    def call(self, x):
        return self.dec(self.enc(x))
m = AE()
m.compile("adam", "mse")
x = np.zeros((200, 28, 28, 1), np.float32)
ds = tf.data.Dataset.from_tensor_slices(x)
m.fit(tf.data.Dataset.zip((ds.map(lambda t: t + tf.random.normal(tf.shape(t))), ds)).batch(100, drop_remainder=True), epochs=1)
