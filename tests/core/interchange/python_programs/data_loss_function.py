# {"classes": ["InputLayer", "Dense"], "loss": "SparseCategoricalCrossentropy", "config": [1, "units", 3]}
import tensorflow as tf
from tensorflow import keras


def loss(y_true, y_pred):
    return tf.reduce_mean(keras.losses.sparse_categorical_crossentropy(y_true, y_pred, from_logits=True))


model = keras.Sequential([keras.layers.Dense(3, input_shape=(4,))])
model.compile("sgd", loss)
