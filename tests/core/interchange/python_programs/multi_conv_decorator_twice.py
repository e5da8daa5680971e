# {"classes": ["InputLayer", "MultiConv", "TFOpLambda", "MultiConv", "TFOpLambda"], "warning": "python/ignored", "says": "the options of multi_conv", "parameters": 990}
import tensorflow as tf
from tensorflow import keras
from tensorflow.python import ipu
first, second = keras.layers.Conv2D(8, 3, padding="same"), keras.layers.Conv2D(4, 3, padding="same")
third, fourth = keras.layers.Conv2D(4, 3), keras.layers.Conv2D(2, 3)


def wide(x):
    return first(x), second(x)


def narrow(x):
    return third(x), fourth(x)


decorator = ipu.nn_ops.multi_conv(options={"partialsType": "half"})
wide, narrow = decorator(wide), decorator(narrow)
i = keras.Input((16, 16, 3), batch_size=8)
x = tf.concat(wide(i), -1)
model = keras.Model(i, tf.concat(narrow(x), -1))
model.predict(tf.zeros((64, 16, 16, 3)), batch_size=8)
