# {"warning": "python/ignored", "says": "within the model", "epochs": 2}
import numpy as np
import tensorflow as tf
from tensorflow import keras
from tensorflow.keras import layers
from tensorflow.python import ipu
cfg = ipu.config.IPUConfig()
cfg.auto_select_ipus = 1
cfg.configure_ipu_system()
x = np.zeros((64, 4), "f4"); y = np.zeros((64, 1), "f4")
with ipu.ipu_strategy.IPUStrategy().scope():
    i = keras.Input((4,)); h = layers.Dense(8)(i)
    m = keras.Model(i, layers.Dense(1)(h))
    m.add_metric(tf.reduce_mean(h), name="h_mean", aggregation="mean")
    m.compile("sgd", "mse", steps_per_execution=2)
    m.fit(x, y, batch_size=8, epochs=2)
