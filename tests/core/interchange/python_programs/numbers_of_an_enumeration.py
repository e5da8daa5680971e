# {"classes": ["InputLayer", "Dense", "Dense"], "parameters": 79, "warning": "python/ignored"}
import numpy as np
import tensorflow as tf
from tensorflow import keras
from tensorflow.python import ipu

cfg = ipu.config.IPUConfig()
cfg.auto_select_ipus = 1
cfg.configure_ipu_system()

from contextlib import suppress
from enum import IntEnum


class Width(IntEnum):
    NARROW = 5
    WIDE = 6


policy = keras.mixed_precision.Policy("float32")
with ipu.ipu_strategy.IPUStrategy().scope():
    m = keras.Sequential([keras.layers.Dense(Width.WIDE, input_shape=(4,), dtype=policy),
                          keras.layers.Dense(Width.WIDE + 1 if Width.WIDE > Width.NARROW else 1)])
    m.set_weights([np.ones_like(w) for w in m.get_weights()])
    m.compile("sgd", "mse")
    with suppress(KeyboardInterrupt):
        m.fit(np.zeros((32, 4)), np.zeros((32, 7)), batch_size=8)
    m.save("saved")
    again = keras.models.load_model("saved")
    print(again.predict(np.zeros((8, 4)), batch_size=8))
