# {"classes": ["InputLayer", "Conv2D", "BatchNormalization", "ReLU", "Conv2D", "BatchNormalization", "ReLU", "GlobalAveragePooling2D", "Dense"], "input": [null, 32, 32, 3], "loss": "SparseCategoricalCrossentropy"}
import tensorflow as tf
from tensorflow import keras
from tensorflow.python import ipu

cfg = ipu.config.IPUConfig()
cfg.auto_select_ipus = 1
cfg.configure_ipu_system()
strategy = ipu.ipu_strategy.IPUStrategy()

class ConvBlock(keras.layers.Layer):
    def __init__(self, filters, *, strides=1, **kwargs):
        super().__init__(**kwargs)
        self.conv = keras.layers.Conv2D(filters, 3, strides=strides, padding="same", use_bias=False)
        self.bn = keras.layers.BatchNormalization()
        self.relu = keras.layers.ReLU()
    def call(self, x, training=None):
        return self.relu(self.bn(self.conv(x), training=training))
    def get_config(self):
        return {**super().get_config()}
class Net(keras.Model):
    def __init__(self, blocks=(8, 16)):
        super().__init__()
        self.blocks = keras.Sequential([ConvBlock(f, strides=2) for f in blocks])
        self.pool = keras.layers.GlobalAveragePooling2D()
        self.head = keras.layers.Dense(10)
    def call(self, x, training=None):
        x = self.blocks(x, training=training)
        return self.head(self.pool(x))
with strategy.scope():
    net = Net()
    _ = net(tf.zeros((1, 32, 32, 3)))
    net.summary()
    net.compile("sgd", keras.losses.SparseCategoricalCrossentropy(from_logits=True))
