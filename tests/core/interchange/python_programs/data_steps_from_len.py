# {"classes": ["InputLayer", "Dense", "Dense"], "input": [null, 13], "steps_per_epoch": 40, "steps_per_execution": 40, "epochs": 2, "batch": 25}
import tensorflow as tf
from tensorflow import keras
from tensorflow.python import ipu

cfg = ipu.config.IPUConfig()
cfg.auto_select_ipus = 1
cfg.configure_ipu_system()
strategy = ipu.ipu_strategy.IPUStrategy()

import numpy as np
BATCH = 25
x = np.random.normal(size=(1000, 13)).astype("float32")
y = np.random.uniform(size=(1000, 1)).astype("float32")
steps = len(x) // BATCH
ds = tf.data.Dataset.from_tensor_slices((x, y)).cache().shuffle(len(x)).repeat().batch(BATCH, drop_remainder=True)
with strategy.scope():
    model = keras.Sequential([keras.layers.Dense(8, activation="tanh"), keras.layers.Dense(1)])
    model.compile("adam", "mae", steps_per_execution=steps)
    model.fit(ds, steps_per_epoch=steps, epochs=2)
