# {"error": "python/unsupported", "line": 21, "says": "which weights"}
import numpy as np, tensorflow as tf
from tensorflow.python import ipu
cfg = ipu.config.IPUConfig()
cfg.auto_select_ipus = 1
cfg.configure_ipu_system()
ds = tf.data.Dataset.from_tensor_slices((np.zeros((64, 8), np.float32), np.zeros((64, 4), np.float32))).batch(4, drop_remainder=True)
strategy = ipu.ipu_strategy.IPUStrategy()
with strategy.scope():
    m = tf.keras.Sequential([tf.keras.layers.Dense(16, input_shape=(8,)), tf.keras.layers.Dense(4)])
    opt = tf.keras.optimizers.SGD(0.1)
    @tf.function(experimental_compile=True)
    def step(x, y):
        with tf.GradientTape(persistent=True) as tape:
            p = m(x, training=True)
            loss = tf.reduce_mean(tf.square(p - y))
            loss2 = tf.reduce_mean(tf.abs(p - y))
        w = m.trainable_variables
        g = tape.gradient(loss, w)
        for l in m.layers:
            l.kernel.assign_sub(0.1 * tape.gradient(loss, l.kernel))
        return loss
    for x, y in ds:
        strategy.run(step, args=(x, y))
