# {"classes": ["InputLayer", "FixedWidthBins"]}
import tensorflow as tf
from tensorflow import keras
from tensorflow.python import ipu
i = keras.Input((4, 6))
x = i
x = ipu.statistics_ops.fixed_width_bins(x, n_bins=5)
inputs = [i]
model = keras.Model(inputs, x)
