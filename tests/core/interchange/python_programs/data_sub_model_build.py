# {"classes": ["InputLayer", "Conv2D", "BatchNormalization", "ReLU", "GlobalAveragePooling2D", "Dense"], "input": [null, 28, 28, 1], "optimizer": "SGD"}
import tensorflow as tf
from tensorflow import keras
from tensorflow.python import ipu

cfg = ipu.config.IPUConfig()
cfg.auto_select_ipus = 1
cfg.configure_ipu_system()
strategy = ipu.ipu_strategy.IPUStrategy()

class Conv(keras.Model):
    def __init__(self):
        super().__init__(name="convnet")
        self.conv = keras.layers.Conv2D(8, 3, padding="same")
        self.bn = keras.layers.BatchNormalization()
        self.act = keras.layers.ReLU()
        self.pool = keras.layers.GlobalAveragePooling2D()
        self.out = keras.layers.Dense(10)
    def call(self, x, training=None):
        x = self.conv(x)
        x = self.bn(x, training=training)
        return self.out(self.pool(self.act(x)))
with strategy.scope():
    model = Conv()
    model.build((None, 28, 28, 1))
    model.summary()
    model.compile(optimizer=keras.optimizers.SGD(0.1), loss="mse")
