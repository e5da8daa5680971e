# {"error": "value-error/slice", "line": 5, "says": "ends at place 10"}
import tensorflow as tf
from tensorflow import keras
i = keras.Input((8, 4), batch_size=2)
x = tf.slice(i, [0, 6, 0], [2, 4, 4])
model = keras.Model(i, keras.layers.Dense(2)(x))
