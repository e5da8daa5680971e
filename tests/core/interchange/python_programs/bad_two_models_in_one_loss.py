# {"error": "python/unsupported", "says": "--model generator"}
"""DCGAN on MNIST: two models, two tapes, one IPU."""
import tensorflow as tf
from tensorflow.keras import layers
from tensorflow.python import ipu

BATCH, NOISE, EPOCHS, STEPS = 64, 100, 2, 900


def make_generator():
    return tf.keras.Sequential([
        layers.Dense(7 * 7 * 128, use_bias=False, input_shape=(NOISE,)),
        layers.LeakyReLU(),
        layers.Reshape((7, 7, 128)),
        layers.Conv2DTranspose(64, 5, strides=2, padding="same", use_bias=False),
        layers.LeakyReLU(),
        layers.Conv2DTranspose(1, 5, strides=2, padding="same", activation="tanh"),
    ], name="generator")


def make_discriminator():
    return tf.keras.Sequential([
        layers.Conv2D(64, 5, strides=2, padding="same", input_shape=(28, 28, 1)),
        layers.LeakyReLU(),
        layers.Dropout(0.3),
        layers.Conv2D(128, 5, strides=2, padding="same"),
        layers.LeakyReLU(),
        layers.Dropout(0.3),
        layers.Flatten(),
        layers.Dense(1),
    ], name="discriminator")


bce = tf.keras.losses.BinaryCrossentropy(from_logits=True)


def d_loss(real, fake):
    return bce(tf.ones_like(real), real) + bce(tf.zeros_like(fake), fake)


def g_loss(fake):
    return bce(tf.ones_like(fake), fake)


def images():
    (x, _), _ = tf.keras.datasets.mnist.load_data()
    x = (x.reshape(-1, 28, 28, 1).astype("float32") - 127.5) / 127.5
    return tf.data.Dataset.from_tensor_slices(x).shuffle(60000).batch(BATCH, drop_remainder=True).repeat()


cfg = ipu.config.IPUConfig()
cfg.auto_select_ipus = 1
cfg.configure_ipu_system()
strategy = ipu.ipu_strategy.IPUStrategy()

with strategy.scope():
    generator = make_generator()
    discriminator = make_discriminator()
    g_opt = tf.keras.optimizers.Adam(1e-4, beta_1=0.5)
    d_opt = tf.keras.optimizers.Adam(1e-4, beta_1=0.5)

    @tf.function(jit_compile=True)
    def train_step(batch):
        noise = tf.random.normal([BATCH, NOISE])
        with tf.GradientTape() as g_tape, tf.GradientTape() as d_tape:
            fakes = generator(noise, training=True)
            real_out = discriminator(batch, training=True)
            fake_out = discriminator(fakes, training=True)
            gl, dl = g_loss(fake_out), d_loss(real_out, fake_out)
        g_grads = g_tape.gradient(gl, generator.trainable_variables)
        d_grads = d_tape.gradient(dl, discriminator.trainable_variables)
        g_opt.apply_gradients(zip(g_grads, generator.trainable_variables))
        d_opt.apply_gradients(zip(d_grads, discriminator.trainable_variables))
        return gl, dl

    it = iter(images())
    for epoch in range(EPOCHS):
        for step in range(STEPS):
            gl, dl = strategy.run(train_step, args=(next(it),))
        print("epoch", epoch, float(gl), float(dl))
    generator.save_weights("generator.h5")
