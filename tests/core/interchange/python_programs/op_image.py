# {"classes": ["InputLayer", "NormaliseImage"]}
import tensorflow as tf
from tensorflow import keras
from tensorflow.python import ipu
i = keras.Input((8, 8, 3))
x = i
x = ipu.image_ops.normalise_image(x, [0.1, 0.2, 0.3], [1.0, 1.0, 1.0], 0.5)
inputs = [i]
model = keras.Model(inputs, x)
