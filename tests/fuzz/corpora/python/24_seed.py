# {"seed": 42}
import tensorflow as tf
from tensorflow import keras
from tensorflow.python import ipu
ipu.utils.reset_ipu_seed(42)
strategy = ipu.ipu_strategy.IPUStrategy()
with strategy.scope():
    i = keras.Input((28, 28))
    x = keras.layers.Flatten()(i)
    x = keras.layers.Dense(4)(x)
    model = keras.Model(i, x)
