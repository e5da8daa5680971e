# {"error": "python/unsupported", "line": 24, "says": "weights of b1"}
import tensorflow as tf
from tensorflow.python import ipu
import numpy as np
x = np.zeros((64, 8), np.float32)
y = np.zeros((64, 1), np.float32)
ds = tf.data.Dataset.from_tensor_slices((x, y)).batch(8, drop_remainder=True)
strategy = ipu.ipu_strategy.IPUStrategy()
with strategy.scope():
    i = tf.keras.Input((8,))
    base = tf.keras.Model(i, tf.keras.layers.Dense(4, name="b1")(i))
    head = tf.keras.layers.Dense(1, name="head")
    j = tf.keras.Input((8,))
    m = tf.keras.Model(j, head(base(j)))
    pass
    opt = tf.keras.optimizers.SGD(0.1)
    @tf.function(experimental_compile=True)
    def step(it):
        for _ in range(8):
            a, b = next(it)
            with tf.GradientTape() as t:
                l = tf.reduce_mean(tf.keras.losses.mse(b, m(a)))
            v = m.layers[-1].trainable_variables
            g = t.gradient(l, v)
            opt.apply_gradients(zip(g, v))
    strategy.run(step, args=[iter(ds)])
