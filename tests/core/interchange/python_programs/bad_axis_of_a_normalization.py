# {"error": "layer/attribute", "says": "axis 7 does not exist"}
import numpy as np, tensorflow as tf
from tensorflow.python import ipu
cfg = ipu.config.IPUConfig()
cfg.auto_select_ipus = 1
cfg.configure_ipu_system()
ds = tf.data.Dataset.from_tensor_slices((np.zeros((640, 16, 32), np.float32), np.zeros((640, 1), np.float32))).batch(8, drop_remainder=True).repeat()

with ipu.ipu_strategy.IPUStrategy().scope():
    m = tf.keras.Sequential([
        tf.keras.layers.InputLayer((16, 32)),
        ipu.keras.layers.LayerNormalization(axis=7),
        tf.keras.layers.GlobalAveragePooling1D(),
        tf.keras.layers.Dense(1)])
    pass
    m.compile("sgd", "mse", steps_per_execution=8)
    m.fit(ds, steps_per_epoch=80)
