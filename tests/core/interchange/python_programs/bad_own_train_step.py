# {"error": "python/unsupported", "line": 8}
import tensorflow as tf
from tensorflow import keras


class Silent(keras.Model):

    def train_step(self, data):
        return {"loss": 0.0}


i = keras.Input((4,))
model = Silent(i, keras.layers.Dense(1)(i))
model.compile("sgd", "mse")
model.fit(tf.zeros((64, 4)), tf.zeros((64, 1)))
