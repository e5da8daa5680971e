# {"classes": ["InputLayer", "Dense", "TFOpLambda", "Dense", "TFOpLambda"], "input": [null, 5]}
import tensorflow as tf
from tensorflow import keras
from tensorflow.python import ipu

cfg = ipu.config.IPUConfig()
cfg.auto_select_ipus = 1
cfg.configure_ipu_system()
strategy = ipu.ipu_strategy.IPUStrategy()

class MyDense(keras.layers.Layer):
    def __init__(self, units=32):
        super(MyDense, self).__init__()
        self.units = units
    def build(self, input_shape):
        self.w = self.add_weight(shape=(input_shape[-1], self.units), initializer="random_normal", trainable=True)
        self.b = self.add_weight(shape=(self.units,), initializer="zeros", trainable=True)
    def call(self, inputs):
        return tf.nn.relu(tf.matmul(inputs, self.w) + self.b)
with strategy.scope():
    i = keras.Input(shape=(5,))
    model = keras.Model(i, MyDense(3)(MyDense(7)(i)))
    model.compile("sgd", "mse")
