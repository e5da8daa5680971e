# {"classes": ["InputLayer", "Histogram"]}
import tensorflow as tf
from tensorflow import keras
from tensorflow.python import ipu
i = keras.Input((4, 6))
x = i
x = ipu.statistics_ops.histogram(x, [0.0, 1.0, 2.0], absolute_of_input=True)
inputs = [i]
model = keras.Model(inputs, x)
