# {"parameters": 5856, "loss": "LossFunction"}
"""Siamese with contrastive loss in custom training loop; Model subclass; learning rate assigned."""
import numpy as np, tensorflow as tf
from tensorflow.python import ipu
cfg = ipu.config.IPUConfig(); cfg.auto_select_ipus = 1; cfg.configure_ipu_system()
class Tower(tf.keras.Model):
    def __init__(self):
        super().__init__()
        self.c = [tf.keras.layers.Conv2D(f, 3, activation="relu", name="conv") for f in (16, 32)]
        self.p = tf.keras.layers.GlobalMaxPool2D(); self.d = tf.keras.layers.Dense(32)
    def call(self, x):
        for c in self.c: x = c(x)
        return tf.math.l2_normalize(self.d(self.p(x)), axis=-1)
s = ipu.ipu_strategy.IPUStrategy()
with s.scope():
    t = Tower()
    a = tf.keras.Input((28, 28, 1)); b = tf.keras.Input((28, 28, 1))
    m = tf.keras.Model([a, b], tf.reduce_sum(tf.square(t(a) - t(b)), axis=-1, keepdims=True))
    opt = tf.keras.optimizers.SGD(0.05, momentum=0.9)
    ds = tf.data.Dataset.from_tensor_slices(((np.zeros((320, 28, 28, 1), np.float32), np.zeros((320, 28, 28, 1), np.float32)), np.zeros((320, 1), np.float32))).batch(32, drop_remainder=True).repeat()
    @tf.function(experimental_compile=True)
    def train(it):
        for _ in tf.range(10):
            (x1, x2), y = next(it)
            with tf.GradientTape() as tape:
                d2 = m([x1, x2], training=True)
                loss = tf.reduce_mean(y * d2 + (1 - y) * tf.square(tf.maximum(1.0 - tf.sqrt(d2 + 1e-6), 0.0)))
            opt.apply_gradients(zip(tape.gradient(loss, m.trainable_variables), m.trainable_variables))
    it = iter(ds)
    for i in range(6):
        s.run(train, args=(it,))
