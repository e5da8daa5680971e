# {"error": "python/unsupported", "line": 22}
import tensorflow as tf
from tensorflow.python import ipu
cfg = ipu.config.IPUConfig(); cfg.auto_select_ipus = 1; cfg.configure_ipu_system()
strategy = ipu.ipu_strategy.IPUStrategy()
(x, _), _ = tf.keras.datasets.mnist.load_data()
ds = tf.data.Dataset.from_tensor_slices(x.reshape(-1, 784).astype("float32") / 255.).batch(32, drop_remainder=True).repeat()
with strategy.scope():
    gen = tf.keras.Sequential([tf.keras.layers.Dense(128, activation="relu", input_shape=(64,)), tf.keras.layers.Dense(784, activation="sigmoid")])
    disc = tf.keras.Sequential([tf.keras.layers.Dense(128, activation="relu", input_shape=(784,)), tf.keras.layers.Dense(1)])
    bce = tf.keras.losses.BinaryCrossentropy(from_logits=True)
    go = tf.keras.optimizers.Adam(1e-4); do = tf.keras.optimizers.Adam(1e-4)
    @tf.function
    def step(images):
        noise = tf.random.normal([32, 64])
        with tf.GradientTape() as gt, tf.GradientTape() as dt:
            fake = gen(noise, training=True)
            real_out = disc(images, training=True)
            fake_out = disc(fake, training=True)
            gl = bce(tf.ones_like(fake_out), fake_out)
            dl = bce(tf.ones_like(real_out), real_out) + bce(tf.zeros_like(fake_out), fake_out)
        go.apply_gradients(zip(gt.gradient(gl, gen.trainable_variables), gen.trainable_variables))
        do.apply_gradients(zip(dt.gradient(dl, disc.trainable_variables), disc.trainable_variables))
        return gl, dl
    it = iter(ds)
    for i in range(100):
        strategy.run(step, args=(next(it),))
