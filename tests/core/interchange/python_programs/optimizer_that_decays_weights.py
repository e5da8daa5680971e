# {"optimizer_config": {"learning_rate": 0.05, "momentum": 0.9, "gradient_decay": 0.0001}, "no_warning": "python/ignored"}
import numpy as np
import tensorflow as tf
from tensorflow.python import ipu
cfg = ipu.config.IPUConfig()
cfg.auto_select_ipus = 2
cfg.configure_ipu_system()

class SGDW(tf.keras.optimizers.SGD):
    def __init__(self, weight_decay, **kwargs):
        super().__init__(**kwargs)
        self.weight_decay = weight_decay
    def apply_gradients(self, grads_and_vars, name=None, **kwargs):
        decayed = [(g + self.weight_decay * v, v) for g, v in grads_and_vars]
        return super().apply_gradients(decayed, name=name, **kwargs)
with ipu.ipu_strategy.IPUStrategy().scope():
    m = tf.keras.Sequential([tf.keras.layers.Dense(8, "relu", input_shape=(5,)), tf.keras.layers.Dense(1)])
    m.compile(SGDW(1e-4, learning_rate=0.05, momentum=0.9), "mse", steps_per_execution=4)
    m.fit(np.zeros((256, 5), "f4"), np.zeros((256, 1), "f4"), batch_size=8, epochs=2)
