# {"classes": ["InputLayer", "Dense", "Dropout", "Dense", "Dropout", "Dense"], "input": [null, 20], "steps_per_epoch": 100, "epochs": 2, "batch": 16}
import tensorflow as tf
from tensorflow import keras
from tensorflow.python import ipu

cfg = ipu.config.IPUConfig()
cfg.auto_select_ipus = 1
cfg.configure_ipu_system()
strategy = ipu.ipu_strategy.IPUStrategy()

import numpy as np
class MLP(keras.Model):
    def __init__(self, widths, classes):
        super().__init__()
        self.hidden = [keras.layers.Dense(w, activation=tf.nn.relu) for w in widths]
        self.drops = [keras.layers.Dropout(0.1) for _ in widths]
        self.head = keras.layers.Dense(classes, activation="softmax")
    def call(self, inputs, training=None):
        x = inputs
        for dense, drop in zip(self.hidden, self.drops):
            x = dense(x)
            if training:
                x = drop(x, training=training)
        return self.head(x)
x = np.random.rand(1600, 20).astype(np.float32)
y = np.random.randint(0, 4, size=(1600,))
with strategy.scope():
    net = MLP([64, 32], 4)
    net.compile("sgd", "sparse_categorical_crossentropy")
    net.fit(x, y, batch_size=16, epochs=2)
