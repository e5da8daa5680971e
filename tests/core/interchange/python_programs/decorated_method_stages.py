# {"stage_list": [0, 1], "ipus": 2, "no_warning": "python/ignored"}
import numpy as np
import tensorflow as tf
from tensorflow.keras import layers
from tensorflow.python import ipu
def on_stage(n):
    def deco(fn):
        def inner(*a):
            with ipu.keras.PipelineStage(n):
                return fn(*a)
        return inner
    return deco
class Builder:
    @on_stage(0)
    def stem(self, x):
        return layers.Dense(8)(x)
    @on_stage(1)
    def head(self, x):
        return layers.Dense(1)(x)
    def __call__(self):
        i = tf.keras.Input((4,))
        return tf.keras.Model(i, self.head(self.stem(i)))
cfg = ipu.config.IPUConfig()
cfg.auto_select_ipus = 2
cfg.configure_ipu_system()
with ipu.ipu_strategy.IPUStrategy().scope():
    m = Builder()()
    m.set_gradient_accumulation_options(gradient_accumulation_steps_per_replica=4) if False else m.set_pipelining_options(gradient_accumulation_steps_per_replica=4)
    m.compile("sgd", "mse", steps_per_execution=8)
    m.fit(np.zeros((64, 4), "f4"), np.zeros((64, 1), "f4"), batch_size=8, epochs=2)
