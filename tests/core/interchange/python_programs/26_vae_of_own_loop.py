# {"parameters": 1492, "losses": [["LossValue", "math.multiply", "reduce_mean"]], "batch": 32, "steps_per_execution": 50, "optimizer": "Adam", "warning": "python/noise"}
import numpy as np
import tensorflow as tf
from tensorflow import keras
from tensorflow.python import ipu


class Autoencoder(keras.Model):
    def __init__(self, hidden, latent, **kwargs):
        super().__init__(**kwargs)
        self.enc = keras.layers.Dense(hidden, activation=tf.nn.relu)
        self.mean = keras.layers.Dense(latent)
        self.logvar = keras.layers.Dense(latent)
        self.dec = keras.layers.Dense(hidden, activation=tf.nn.relu)
        self.out = keras.layers.Dense(64)

    def call(self, x, training=None):
        h = self.enc(x)
        mean, logvar = self.mean(h), self.logvar(h)
        noise = tf.random.normal(shape=mean.shape)
        return self.out(self.dec(mean + tf.exp(0.5 * logvar) * noise)), mean, logvar


def elbo(x, logits, mean, logvar, beta=0.5):
    each = tf.nn.sigmoid_cross_entropy_with_logits(labels=x, logits=logits)
    divergence = -0.5 * tf.reduce_sum(1.0 + logvar - tf.square(mean) - tf.exp(logvar), axis=-1)
    return tf.reduce_mean(tf.reduce_sum(each, axis=-1) + beta * divergence)


@tf.function(jit_compile=True)
def loop(iterator, steps, outfeed, model, optimizer):
    for _ in tf.range(steps):
        x = next(iterator)
        with tf.GradientTape() as tape:
            logits, mean, logvar = model(x, training=True)
            loss = elbo(x, logits, mean, logvar)
        gradients = tape.gradient(loss, model.trainable_variables)
        optimizer.apply_gradients(zip(gradients, model.trainable_variables))
        outfeed.enqueue(loss)


images = (np.random.rand(1024, 64) > 0.5).astype("float32")
dataset = tf.data.Dataset.from_tensor_slices(images).batch(32, drop_remainder=True).repeat()
strategy = ipu.ipu_strategy.IPUStrategy()
with strategy.scope():
    net = Autoencoder(10, 4)
    optimizer = keras.optimizers.Adam(0.001)
    iterator = iter(dataset)
    queue = ipu.ipu_outfeed_queue.IPUOutfeedQueue()
    for _ in range(4):
        strategy.run(loop, args=(iterator, 50, queue, net, optimizer))
        print(sum(queue) / 50)
    logits, mean, logvar = net(images[:32], training=False)
    print(np.mean(mean), np.mean(logvar))
