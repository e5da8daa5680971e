# {"classes": ["InputLayer", "InstanceNormalization"]}
import tensorflow as tf
from tensorflow import keras
from tensorflow.python import ipu
i = keras.Input((4, 4, 3))
x = i
x = ipu.normalization_ops.instance_norm(x)
inputs = [i]
model = keras.Model(inputs, x)
