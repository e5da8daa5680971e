# {"error": "python/unsupported", "line": 19, "says": "computed of several models"}
import numpy as np
import tensorflow as tf
from tensorflow.python import ipu
cfg = ipu.config.IPUConfig()
cfg.auto_select_ipus = 1
cfg.configure_ipu_system()
strategy = ipu.ipu_strategy.IPUStrategy()
def make():
    return tf.keras.Sequential([tf.keras.layers.Dense(16, activation="relu", input_shape=(4,)), tf.keras.layers.Dense(2)])
with strategy.scope():
    q = make()
    target = make()
    opt = tf.keras.optimizers.Adam(1e-3)
    @tf.function(experimental_compile=True)
    def step(s, a, r, s2):
        y = r + 0.99 * tf.reduce_max(target(s2), axis=1)
        with tf.GradientTape() as tape:
            qa = tf.reduce_sum(q(s) * tf.one_hot(a, 2), axis=1)
            loss = tf.reduce_mean(tf.square(y - qa))
        g = tape.gradient(loss, q.trainable_variables)
        opt.apply_gradients(zip(g, q.trainable_variables))
        return loss
    for i in range(100):
        s = np.random.rand(32, 4).astype(np.float32); a = np.random.randint(0, 2, 32); r = np.random.rand(32).astype(np.float32)
        strategy.run(step, args=[s, a, r, s])
        if i % 10 == 0:
            target.set_weights(q.get_weights())
