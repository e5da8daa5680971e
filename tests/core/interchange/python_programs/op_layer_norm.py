# {"classes": ["InputLayer", "GroupNormalization"], "config": [1, "groups", 1]}
import tensorflow as tf
from tensorflow import keras
from tensorflow.python import ipu
i = keras.Input((4, 6))
x = i
x = ipu.ops.normalization_ops.layer_norm(x, epsilon=0.1)
inputs = [i]
model = keras.Model(inputs, x)
