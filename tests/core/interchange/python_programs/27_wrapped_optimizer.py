# {"optimizer": "Adam", "optimizer_config": {"learning_rate": 0.125}, "no_warning": "python/ignored"}
import tensorflow as tf
class Wrapped(tf.keras.optimizers.Optimizer):
    def __init__(self, inner, name="Wrapped", **kwargs):
        super().__init__(name, **kwargs)
        self._inner = inner

    def apply_gradients(self, grads_and_vars, name=None):
        return self._inner.apply_gradients(grads_and_vars, name)

    def get_config(self):
        return self._inner.get_config()
import numpy as np
net = tf.keras.Sequential([tf.keras.Input((12,), batch_size=8), tf.keras.layers.Dense(6)])
net.compile(Wrapped(tf.keras.optimizers.Adam(0.125)), "mse")
net.fit(np.zeros((80, 12), np.float32), np.zeros((80, 6), np.float32), epochs=2, batch_size=8)
