# {"classes": ["InputLayer", "Dense"], "epochs": 3, "steps_per_epoch": 40}
import numpy as np
import tensorflow as tf
from tensorflow import keras
from tensorflow.python import ipu

cfg = ipu.config.IPUConfig()
cfg.auto_select_ipus = 1
cfg.configure_ipu_system()

with ipu.ipu_strategy.IPUStrategy().scope():
    m = keras.Sequential([keras.layers.Dense(2, input_shape=(4,))])
    ds = tf.data.Dataset.from_tensor_slices((np.zeros((320, 4)), np.zeros((320, 2)))).batch(8, drop_remainder=True)
    m.compile("sgd", "mse", steps_per_execution=4)
    m.fit(ds, steps_per_epoch=40, epochs=3)
