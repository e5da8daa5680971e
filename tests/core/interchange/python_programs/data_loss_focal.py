# {"classes": ["InputLayer", "Flatten", "Dense"], "loss": "SparseLossFunction", "batch": 20}
import tensorflow as tf
from tensorflow import keras
def focal_loss(gamma=2.0, alpha=0.25):
    def loss(y_true, y_pred):
        y_true = tf.one_hot(tf.cast(tf.squeeze(y_true), tf.int32), 10)
        y_pred = tf.clip_by_value(tf.nn.softmax(y_pred), 1e-7, 1 - 1e-7)
        ce = -y_true * tf.math.log(y_pred)
        weight = alpha * tf.pow(1 - y_pred, gamma)
        return tf.reduce_sum(weight * ce, axis=-1)
    return loss
model = keras.Sequential([keras.layers.Flatten(input_shape=(28, 28)), keras.layers.Dense(10)])
(x, y), _ = keras.datasets.mnist.load_data()
model.compile("adam", loss=focal_loss(), metrics=["accuracy"])
model.fit(x, y, batch_size=20, epochs=1)
