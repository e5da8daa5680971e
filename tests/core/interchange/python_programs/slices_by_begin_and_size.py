# {"parameters": 14}
import tensorflow as tf
from tensorflow import keras

given = keras.Input((4, 6))
part = tf.slice(given, [0, 1, 0], [-1, 2, -1])
kept = keras.layers.Flatten()(tf.slice(part, [0, 0, 3], [-1, -1, 3]))
model = keras.Model(given, keras.layers.Dense(2)(kept))
