# {"input": [null, 23, 5], "batch": 8}
import numpy as np
import tensorflow as tf
from tensorflow.python import ipu
cfg = ipu.config.IPUConfig(); cfg.auto_select_ipus = 1; cfg.configure_ipu_system()
L = tf.keras.layers
base = tf.data.Dataset.from_tensor_slices((np.zeros((960, 20), np.float32), np.zeros((960, 1), np.float32)))
s = np.zeros((1000, 5), np.float32)
ds = tf.data.Dataset.from_tensor_slices(s).window(24, 1, 1, True).flat_map(lambda w: w.batch(24, drop_remainder=True)).map(lambda w: (w[:-1], w[-1, 0])).batch(8, drop_remainder=True)
with ipu.ipu_strategy.IPUStrategy().scope():
    m = tf.keras.Sequential([L.Dense(1)])
    m.compile("adam", "mse")
    m.fit(ds, epochs=2)
