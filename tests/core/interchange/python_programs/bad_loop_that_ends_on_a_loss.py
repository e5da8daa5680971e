# {"error": "python/unsupported", "line": 17, "says": "a loop that ends on data is not followed"}
import numpy as np
import tensorflow as tf
from tensorflow.python import ipu
cfg = ipu.config.IPUConfig()
cfg.auto_select_ipus = 1
cfg.configure_ipu_system()
ds = tf.data.Dataset.from_tensors((np.zeros(4, np.float32), np.zeros(1, np.float32))).repeat().batch(4, drop_remainder=True)
D = tf.keras.layers.Dense
with ipu.ipu_strategy.IPUStrategy().scope():
    model = tf.keras.Sequential([D(8, input_shape=(4,)), D(1)])
    model.compile("sgd", "mse", steps_per_execution=8)
    best = 1e9
    for epoch in range(10):
        h = model.fit(ds, steps_per_epoch=8)
        loss = h.history["loss"][-1]
        if loss > best:
            break
        best = loss
