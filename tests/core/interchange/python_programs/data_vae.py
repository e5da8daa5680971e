# {"classes": ["InputLayer", "Dense", "Dense", "Dense", "TFOpLambda", "GaussianNoise", "TFOpLambda", "TFOpLambda", "TFOpLambda", "TFOpLambda", "Dense"], "warning": "python/noise"}
import tensorflow as tf
from tensorflow import keras
from tensorflow.python import ipu

cfg = ipu.config.IPUConfig()
cfg.auto_select_ipus = 1
cfg.configure_ipu_system()
strategy = ipu.ipu_strategy.IPUStrategy()

class Sampling(keras.layers.Layer):
    def call(self, inputs):
        mean, logvar = inputs
        eps = tf.random.normal(shape=tf.shape(mean))
        return mean + tf.exp(0.5 * logvar) * eps
with strategy.scope():
    i = keras.Input((20,))
    h = keras.layers.Dense(8, activation="relu")(i)
    z = Sampling()([keras.layers.Dense(2)(h), keras.layers.Dense(2)(h)])
    m = keras.Model(i, keras.layers.Dense(20)(z))
    m.compile("adam", "mse")
