# {"classes": ["InputLayer", "Dense", "Variable", "TFOpLambda"], "input": [null, 5]}
import tensorflow as tf
from tensorflow import keras
from tensorflow.python import ipu

cfg = ipu.config.IPUConfig()
cfg.auto_select_ipus = 1
cfg.configure_ipu_system()
strategy = ipu.ipu_strategy.IPUStrategy()

class Scale(keras.layers.Layer):
    def build(self, shape):
        self.gamma = self.add_weight("gamma", shape=(int(shape[-1]),), initializer="ones")
    def call(self, x):
        return x * self.gamma
with strategy.scope():
    i = keras.Input(shape=(5,))
    model = keras.Model(i, keras.layers.Dense(2)(Scale()(i)))
    model.compile("sgd", "mse")
