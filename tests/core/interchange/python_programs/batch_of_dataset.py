# {"steps_per_epoch": 8, "epochs": 3, "batch": 8}
import numpy as np
import tensorflow as tf
from tensorflow import keras
from tensorflow.keras import layers
from tensorflow.keras import backend as Kb
from tensorflow.python import ipu
cfg = ipu.config.IPUConfig()
cfg.auto_select_ipus = 1
cfg.configure_ipu_system()
x = np.zeros((64, 4), "f4"); y = np.zeros((64, 1), "f4")
strategy = ipu.ipu_strategy.IPUStrategy()
with strategy.scope():
    m = keras.Sequential([layers.Dense(8, input_shape=(4,)), layers.Dense(1)])
    m.compile("sgd", "mse", steps_per_execution=2)
    d = tf.data.Dataset.from_tensor_slices((x, y)).batch(8, drop_remainder=True)
    for e in range(3):
        for a, b in d:
            m.train_on_batch(a, b)
