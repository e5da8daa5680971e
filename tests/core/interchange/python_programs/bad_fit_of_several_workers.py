# {"error": "not-implemented/multi-worker-fit", "line": 15}
import numpy as np
import tensorflow as tf
from tensorflow.python import ipu
from tensorflow.python.ipu import ipu_multi_worker_strategy
strategy = ipu_multi_worker_strategy.IPUMultiWorkerStrategy(tf.distribute.cluster_resolver.TFConfigClusterResolver())
c = ipu.config.IPUConfig()
c.auto_select_ipus = 1
c.configure_ipu_system()
x = np.random.rand(64, 5).astype("float32")
y = np.random.rand(64, 1).astype("float32")
with strategy.scope():
    m = tf.keras.Sequential([tf.keras.layers.Dense(4, activation="relu"), tf.keras.layers.Dense(1)])
    m.compile("sgd", "mse", steps_per_execution=4)
    m.fit(x, y, batch_size=8, epochs=2)
