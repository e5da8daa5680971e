# {"classes": ["InputLayer", "FixedWidthBins", "Histogram", "Histogram"], "config": [3, "levels", [0.0, 0.5, 1.0]]}
import numpy as np
import tensorflow as tf
from tensorflow import keras
from tensorflow.python import ipu
x = keras.Input((24,))
levels = ipu.statistics_ops.fixed_width_bins(x, 4)
a = ipu.statistics_ops.histogram(x, levels)
b = ipu.statistics_ops.histogram(x, np.linspace(0, 1, 3))
model = keras.Model(x, [a, b])
