# {"error": "python/unsupported", "line": 41}
import tensorflow as tf
from tensorflow import keras
from tensorflow.python import ipu
import numpy as np
cfg = ipu.config.IPUConfig()
cfg.auto_select_ipus = 1
cfg.configure_ipu_system()
disc = keras.Sequential([keras.Input((28,28,1)), keras.layers.Conv2D(16, 3, strides=2, padding="same"), keras.layers.LeakyReLU(0.2), keras.layers.Flatten(), keras.layers.Dense(1)], name="disc")
gen = keras.Sequential([keras.Input((64,)), keras.layers.Dense(7*7*16), keras.layers.Reshape((7,7,16)), keras.layers.Conv2DTranspose(16, 4, strides=2, padding="same"), keras.layers.LeakyReLU(0.2), keras.layers.Conv2DTranspose(1, 4, strides=2, padding="same", activation="tanh")], name="gen")
class GAN(keras.Model):
    def __init__(self, d, g, latent):
        super().__init__()
        self.d, self.g, self.latent = d, g, latent
    def compile(self, d_opt, g_opt, loss_fn):
        super().compile(steps_per_execution=4)
        self.d_opt, self.g_opt, self.loss_fn = d_opt, g_opt, loss_fn
    def train_step(self, real):
        bs = tf.shape(real)[0]
        z = tf.random.normal((bs, self.latent))
        fake = self.g(z)
        comb = tf.concat([fake, real], 0)
        labels = tf.concat([tf.ones((bs,1)), tf.zeros((bs,1))], 0)
        with tf.GradientTape() as tape:
            p = self.d(comb)
            dl = self.loss_fn(labels, p)
        grads = tape.gradient(dl, self.d.trainable_weights)
        self.d_opt.apply_gradients(zip(grads, self.d.trainable_weights))
        z = tf.random.normal((bs, self.latent))
        with tf.GradientTape() as tape:
            p = self.d(self.g(z))
            gl = self.loss_fn(tf.zeros((bs,1)), p)
        grads = tape.gradient(gl, self.g.trainable_weights)
        self.g_opt.apply_gradients(zip(grads, self.g.trainable_weights))
        return {"d": dl, "g": gl}
strategy = ipu.ipu_strategy.IPUStrategy()
with strategy.scope():
    gan = GAN(disc, gen, 64)
    gan.compile(keras.optimizers.Adam(3e-4), keras.optimizers.Adam(3e-4), keras.losses.BinaryCrossentropy(from_logits=True))
    x = np.random.rand(256, 28, 28, 1).astype(np.float32)
    gan.fit(x, batch_size=32, epochs=2)
