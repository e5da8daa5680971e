# {"error": "value-error/forbidden-key", "says": "outfeed_mode", "line": 12}
import numpy as np
import tensorflow as tf
from tensorflow.python import ipu
cfg = ipu.config.IPUConfig()
cfg.auto_select_ipus = 1
cfg.configure_ipu_system()
x = np.random.rand(640, 20).astype(np.float32)
y = np.random.rand(640, 1).astype(np.float32)
with ipu.ipu_strategy.IPUStrategy().scope():
  model = tf.keras.Sequential([tf.keras.layers.Dense(32, activation="relu", input_shape=(20,)), tf.keras.layers.Dense(16), tf.keras.layers.Dense(1)])
  model.set_outfeed_queue_options(outfeed_mode="all")
  model.compile("sgd", "mse", steps_per_execution=8)
  model.fit(x, y, batch_size=8, epochs=1)
