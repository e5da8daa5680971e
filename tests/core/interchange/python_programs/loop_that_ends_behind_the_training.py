# {"epochs": 6, "no_warning": "python/data-condition"}
import numpy as np
import tensorflow as tf
from tensorflow import keras
from tensorflow.python import ipu
cfg = ipu.config.IPUConfig()
cfg.auto_select_ipus = 1
cfg.configure_ipu_system()
with ipu.ipu_strategy.IPUStrategy().scope():
    m = keras.Sequential([keras.layers.Dense(8, input_shape=(4,)), keras.layers.Dense(1)])
    m.compile("adam", "mse", steps_per_execution=4)
    h = m.fit(np.ones((64, 4), np.float32), np.ones((64, 1), np.float32), batch_size=8, epochs=6)
    for i, l in enumerate(h.history["loss"]):
        print(i, l)
        if l < 0.1:
            print("reached at", i)
            break
