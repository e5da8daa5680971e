# {"error": "type-error/called-directly", "line": 13, "says": "cannot be called directly"}
import numpy as np
import tensorflow as tf
from tensorflow.python import ipu
opts = ipu.utils.create_ipu_config()
opts = ipu.utils.auto_select_ipus(opts, 2)
ipu.utils.configure_ipu_system(opts)
ds = tf.data.Dataset.from_tensor_slices((np.zeros((160, 4), np.float32), np.zeros((160, 1), np.float32))).batch(4, drop_remainder=True).repeat()
D = tf.keras.layers.Dense
with ipu.ipu_strategy.IPUStrategy().scope():
    model = ipu.keras.Sequential([D(8), D(1)])
    model.compile("sgd", "mse")
    print(model(np.zeros((4, 4), np.float32)))
    model.fit(ds, steps_per_epoch=8)
