# {"classes": ["InputLayer", "Dense", "Dense", "TFOpLambda", "LayerNormalization", "Dense", "Dense", "TFOpLambda", "LayerNormalization", "Dense"], "input": [null, 12]}
import tensorflow as tf
from tensorflow import keras
from tensorflow.python import ipu

cfg = ipu.config.IPUConfig()
cfg.auto_select_ipus = 1
cfg.configure_ipu_system()
strategy = ipu.ipu_strategy.IPUStrategy()

class Residual(keras.layers.Layer):
    def __init__(self, units, **kw):
        super().__init__(**kw)
        self.units = units
    def build(self, input_shape):
        self.fc1 = keras.layers.Dense(self.units, activation="gelu")
        self.fc2 = keras.layers.Dense(input_shape[-1])
        self.norm = keras.layers.LayerNormalization()
    def call(self, x):
        return self.norm(x + self.fc2(self.fc1(x)))
with strategy.scope():
    model = keras.Sequential([keras.Input((12,)), Residual(24), Residual(24), keras.layers.Dense(1)])
    model.compile("sgd", "mse")
