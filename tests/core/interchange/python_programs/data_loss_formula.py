# {"classes": ["InputLayer", "Dense"], "loss": "LossFunction", "optimizer": "SGD"}
import tensorflow as tf
from tensorflow import keras


def loss(y_true, y_pred):
    return tf.reduce_mean(tf.square(y_true - y_pred))


model = keras.Sequential([keras.layers.Dense(3, input_shape=(4,))])
model.compile("sgd", loss)
