# {"error": "python/unsupported", "line": 5, "says": "side by side"}
import tensorflow as tf
from tensorflow import keras
i = keras.Input((32, 32, 3))
p = tf.image.extract_patches(i, [1, 4, 4, 1], [1, 2, 2, 1], [1, 1, 1, 1], "VALID")
m = keras.Model(i, keras.layers.Flatten()(p))
