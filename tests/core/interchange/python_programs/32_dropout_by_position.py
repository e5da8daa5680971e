# {"config": [2, "rate", 0.1], "classes": ["InputLayer", "Dense", "Dropout", "Dense"]}
import tensorflow as tf
from tensorflow import keras

inputs = keras.Input((8,), batch_size=4)
x = keras.layers.Dense(8)(inputs)
x = tf.nn.dropout(x, 0.1)
model = keras.Model(inputs, keras.layers.Dense(2)(x))
model.compile("sgd", "mse", steps_per_execution=4)
