# {"classes": ["InputLayer", "Flatten", "Conv2D", "Dense"], "input": [null, 28, 28, 1], "steps_per_epoch": 40, "batch": 50, "loss": "SparseCategoricalCrossentropy"}
import tensorflow as tf
from tensorflow import keras
from tensorflow.python import ipu

cfg = ipu.config.IPUConfig()
cfg.auto_select_ipus = 1
cfg.configure_ipu_system()
strategy = ipu.ipu_strategy.IPUStrategy()

import numpy as np
images = np.zeros((2000, 28, 28), dtype=np.float32)
labels = np.arange(2000) % 10
images = images[..., None]
with strategy.scope():
    inp = keras.Input(shape=images.shape[1:])
    x = keras.layers.Flatten()(keras.layers.Conv2D(4, 3)(inp))
    model = keras.Model(inp, keras.layers.Dense(int(10))(x))
    model.compile("sgd", keras.losses.SparseCategoricalCrossentropy(from_logits=True))
    model.fit(images, labels, batch_size=50, epochs=1)
