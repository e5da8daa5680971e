# {"error": "python/unknown-shape", "line": 15, "says": "input_shape="}
import numpy as np
import tensorflow as tf
from tensorflow.python import ipu
cfg = ipu.config.IPUConfig()
import pandas as pd
cfg.auto_select_ipus = 1
cfg.configure_ipu_system()
df = pd.read_csv("housing.csv")
y = df.pop("price").values.astype(np.float32)
x = df.values.astype(np.float32)
with ipu.ipu_strategy.IPUStrategy().scope():
    model = tf.keras.Sequential([tf.keras.layers.Dense(8, activation="relu"), tf.keras.layers.Dense(1)])
    model.compile("sgd", "mse", steps_per_execution=8)
    model.fit(tf.data.Dataset.from_tensor_slices((x, y)).batch(16, drop_remainder=True).repeat(), steps_per_epoch=8)
