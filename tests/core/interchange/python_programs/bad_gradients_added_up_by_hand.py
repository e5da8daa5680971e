# {"error": "python/unsupported", "line": 15, "says": "the system accumulates them by itself"}
import numpy as np
import tensorflow as tf
from tensorflow.python import ipu
strategy = ipu.ipu_strategy.IPUStrategy()
with strategy.scope():
    m = tf.keras.Sequential([tf.keras.layers.Dense(8, input_shape=(4,)), tf.keras.layers.Dense(1)])
    opt = tf.keras.optimizers.SGD(0.1)
    acc = [tf.Variable(tf.zeros_like(v), trainable=False) for v in m.trainable_variables]
    @tf.function
    def step(x, y):
        with tf.GradientTape() as t:
            loss = tf.reduce_mean(tf.square(m(x) - y))
        for a, g in zip(acc, t.gradient(loss, m.trainable_variables)):
            a.assign_add(g / 4)
        return loss
    @tf.function
    def apply():
        opt.apply_gradients(zip(acc, m.trainable_variables))
        for a in acc:
            a.assign(tf.zeros_like(a))
    ds = tf.data.Dataset.from_tensor_slices((np.zeros((64, 4), np.float32), np.zeros((64, 1), np.float32))).batch(4, drop_remainder=True)
    for i, (x, y) in enumerate(ds):
        strategy.run(step, args=[x, y])
        if i % 4 == 3:
            strategy.run(apply)
