# {"warning": "python/device-id", "ipus": 64}
import numpy as np
import tensorflow as tf
from tensorflow.python import ipu
from tensorflow.python.ipu.ops.pipelining_ops import PipelineSchedule
cfg = ipu.config.IPUConfig()
cfg.auto_select_ipus = 1
cfg.auto_select_ipus = []; cfg.select_ipus = 99
cfg.configure_ipu_system()
with ipu.ipu_strategy.IPUStrategy().scope():
    m = tf.keras.Sequential([tf.keras.layers.Dense(8, input_shape=(4,)), tf.keras.layers.Dense(8), tf.keras.layers.Dense(1)])
    pass
    m.compile(optimizer="sgd", loss="mse", steps_per_execution=8)
    ds = tf.data.Dataset.from_tensors((np.zeros(4, np.float32), np.zeros(1, np.float32))).repeat().batch(4, drop_remainder=True)
    m.fit(ds, steps_per_epoch=16)
