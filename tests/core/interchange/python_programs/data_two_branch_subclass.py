# {"classes": ["InputLayer", "InputLayer", "Dense", "Dense", "Dense", "Concatenate", "Dense"], "input": [null, 5], "steps_per_epoch": 4, "batch": 16}
import tensorflow as tf
from tensorflow import keras
from tensorflow.python import ipu

cfg = ipu.config.IPUConfig()
cfg.auto_select_ipus = 1
cfg.configure_ipu_system()
strategy = ipu.ipu_strategy.IPUStrategy()

class WideDeep(keras.Model):
    def __init__(self, units=30, activation="relu", **kwargs):
        super().__init__(**kwargs)
        self.hidden1 = keras.layers.Dense(units, activation=activation)
        self.hidden2 = keras.layers.Dense(units, activation=activation)
        self.main_output = keras.layers.Dense(1)
        self.aux_output = keras.layers.Dense(1)
    def call(self, inputs):
        a, b = inputs
        h = self.hidden2(self.hidden1(b))
        c = keras.layers.concatenate([a, h])
        return self.main_output(c), self.aux_output(h)
with strategy.scope():
    m = WideDeep(16)
    m.compile(loss=["mse", "mse"], optimizer="sgd")
    m.fit([tf.zeros((64, 5)), tf.zeros((64, 6))], [tf.zeros((64, 1)), tf.zeros((64, 1))], batch_size=16)
