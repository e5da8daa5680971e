# {"no_warning": "python/ignored"}
import numpy as np, tensorflow as tf
from tensorflow import keras
from tensorflow.keras import layers
from tensorflow.python import ipu
cfg = ipu.config.IPUConfig(); cfg.auto_select_ipus = 1; cfg.configure_ipu_system()

with ipu.ipu_strategy.IPUStrategy().scope():
    i = keras.Input((4, 6))
    x = i
    x = tf.add_n([x[:, k] for k in range(4)])
    m = keras.Model(i, layers.Dense(2)(x))
    
    m.compile("sgd", "mse", steps_per_execution=8)
    m.fit(np.zeros((64,)+(4, 6), np.float32), np.zeros((64,)+(2,), np.float32), batch_size=8)
