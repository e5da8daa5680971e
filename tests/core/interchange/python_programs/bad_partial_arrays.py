# {"error": "value-error/partial-batch", "line": 12}
import tensorflow as tf
from tensorflow.python import ipu

cfg = ipu.config.IPUConfig()
cfg.auto_select_ipus = 1
cfg.configure_ipu_system()
D = tf.keras.layers.Dense
with ipu.ipu_strategy.IPUStrategy().scope():
    m = tf.keras.Sequential([tf.keras.Input((8,)), D(8), D(8), D(8), D(1)])
    m.compile("sgd", "mse", steps_per_execution=4)
    m.fit(tf.zeros((100, 8)), tf.zeros((100, 1)), batch_size=8)      # 12.5 batches: value error
