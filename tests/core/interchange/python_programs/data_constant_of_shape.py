# {"classes": ["InputLayer", "Dense"], "parameters": 58, "batch": 4}
import tensorflow as tf
from tensorflow import keras


class Net(keras.Model):
    def __init__(self):
        super().__init__()
        self.head = keras.layers.Dense(2)

    def call(self, x):
        return self.head(x)


dataset = tf.data.Dataset.from_tensors(tf.constant(1.0, shape=[28]))
dataset = dataset.map(lambda x: (x, tf.constant(1.0, shape=[2]))).repeat().batch(4, drop_remainder=True)
model = Net()
model.compile("sgd", "mse")
model.fit(dataset, steps_per_epoch=4)
