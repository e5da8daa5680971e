# {"error": "type-error/argument", "line": 13, "says": "did you mean \"patience\"?"}
import numpy as np
import tensorflow as tf
from tensorflow.python import ipu
cfg = ipu.config.IPUConfig()
cfg.auto_select_ipus = 1
cfg.configure_ipu_system()
L, I = tf.keras.layers, ipu.keras.layers
with ipu.ipu_strategy.IPUStrategy().scope():
    m = tf.keras.Sequential([L.Input((12, 6)), L.Flatten(), L.Dense(1)])
    m.compile(optimizer="sgd", loss="mse", steps_per_execution=8)
    ds = tf.data.Dataset.from_tensors((np.zeros((12, 6), np.float32), np.zeros(1, np.float32))).repeat().batch(4, drop_remainder=True)
    m.fit(ds, steps_per_epoch=16, callbacks=[tf.keras.callbacks.EarlyStopping(monitor="loss", patients=2)])
