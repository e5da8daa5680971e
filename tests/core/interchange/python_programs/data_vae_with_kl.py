# {"batch": 32, "warning": "python/noise", "layer_count": 19}
import tensorflow as tf
from tensorflow import keras
from tensorflow.python import ipu
import numpy as np
cfg = ipu.config.IPUConfig()
cfg.auto_select_ipus = 1
cfg.configure_ipu_system()
class Sampling(keras.layers.Layer):
    def call(self, inputs):
        z_mean, z_log_var = inputs
        batch = tf.shape(z_mean)[0]
        dim = tf.shape(z_mean)[1]
        epsilon = tf.keras.backend.random_normal(shape=(batch, dim))
        return z_mean + tf.exp(0.5 * z_log_var) * epsilon
class VAE(keras.Model):
    def __init__(self, latent=4):
        super().__init__()
        self.enc = keras.layers.Dense(64, activation="relu")
        self.mean = keras.layers.Dense(latent)
        self.log_var = keras.layers.Dense(latent)
        self.sampling = Sampling()
        self.dec = keras.Sequential([keras.layers.Dense(64, activation="relu"), keras.layers.Dense(784, activation="sigmoid")])
    def call(self, x):
        h = self.enc(x)
        m, v = self.mean(h), self.log_var(h)
        z = self.sampling((m, v))
        r = self.dec(z)
        kl = -0.5 * tf.reduce_mean(v - tf.square(m) - tf.exp(v) + 1)
        self.add_loss(kl)
        return r
strategy = ipu.ipu_strategy.IPUStrategy()
with strategy.scope():
    model = VAE()
    model.compile(optimizer=keras.optimizers.Adam(1e-3), loss=keras.losses.BinaryCrossentropy(), steps_per_execution=4)
    x = np.random.rand(256, 784).astype(np.float32)
    model.fit(x, x, batch_size=32, epochs=2)
