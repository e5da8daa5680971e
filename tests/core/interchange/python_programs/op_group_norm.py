# {"classes": ["InputLayer", "GroupNormalization"], "config": [1, "epsilon", 1e-06]}
import tensorflow as tf
from tensorflow import keras
from tensorflow.python import ipu
i = keras.Input((4, 6))
x = i
x = ipu.normalization_ops.group_norm(x, groups=3)
inputs = [i]
model = keras.Model(inputs, x)
