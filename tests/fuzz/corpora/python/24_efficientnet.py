# {"parameters": 5330571, "batch": 4}
import numpy as np
import tensorflow as tf
from tensorflow.python import ipu

cfg = ipu.config.IPUConfig()
cfg.auto_select_ipus = 1
cfg.configure_ipu_system()
with ipu.ipu_strategy.IPUStrategy().scope():
    model = tf.keras.applications.EfficientNetB0(weights=None, input_shape=(96, 96, 3))
    model.compile("sgd", tf.keras.losses.SparseCategoricalCrossentropy())
    model.fit(np.zeros((16, 96, 96, 3), np.float32), np.zeros((16,), np.int32), batch_size=4)
