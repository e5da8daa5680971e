# {"classes": ["InputLayer", "Flatten", "Dense"], "loss": "SparseLossFunction", "batch": 20}
import tensorflow as tf
from tensorflow import keras
scce = keras.losses.SparseCategoricalCrossentropy(from_logits=True)
def scaled(y, p):
    return 0.5 * scce(y, p) + 0.01 * tf.reduce_mean(tf.abs(p))
model = keras.Sequential([keras.layers.Flatten(input_shape=(28, 28)), keras.layers.Dense(10)])
(x, y), _ = keras.datasets.mnist.load_data()
model.compile("adam", loss=lambda y, p: scaled(y, p))
model.fit(x, y, batch_size=20, epochs=1)
