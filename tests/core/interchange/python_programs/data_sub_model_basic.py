# {"classes": ["InputLayer", "Flatten", "Dense", "Dense"], "input": [null, 32, 32, 3], "steps_per_epoch": 781, "epochs": 3, "batch": 64, "loss": "SparseCategoricalCrossentropy"}
import tensorflow as tf
from tensorflow import keras
from tensorflow.python import ipu

cfg = ipu.config.IPUConfig()
cfg.auto_select_ipus = 1
cfg.configure_ipu_system()
strategy = ipu.ipu_strategy.IPUStrategy()

class Net(tf.keras.Model):
    """A small classifier."""
    def __init__(self, hidden=64, **kwargs):
        super(Net, self).__init__(**kwargs)
        self.flatten = keras.layers.Flatten()
        self.fc1 = keras.layers.Dense(hidden, activation="relu")
        self.fc2 = keras.layers.Dense(10)

    def call(self, x, training=False):
        x = self.flatten(x)
        return self.fc2(self.fc1(x))

(x_train, y_train), (x_test, y_test) = keras.datasets.cifar10.load_data()
x_train = x_train.astype("float32") / 255.0
ds = tf.data.Dataset.from_tensor_slices((x_train, y_train)).shuffle(1000).batch(64, drop_remainder=True).prefetch(4)
with strategy.scope():
    model = Net(hidden=32)
    model.compile(optimizer="adam", loss=keras.losses.SparseCategoricalCrossentropy(from_logits=True), metrics=["accuracy"])
    model.fit(ds, epochs=3)
