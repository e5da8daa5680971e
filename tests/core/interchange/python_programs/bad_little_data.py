# {"error": "value-error/too-little-data", "line": 13}
import tensorflow as tf
from tensorflow.python import ipu

cfg = ipu.config.IPUConfig()
cfg.auto_select_ipus = 1
cfg.configure_ipu_system()
D = tf.keras.layers.Dense
with ipu.ipu_strategy.IPUStrategy().scope():
    m = tf.keras.Sequential([tf.keras.Input((8,)), D(8), D(8), D(8), D(1)])
    m.compile("sgd", "mse", steps_per_execution=8)
    ds = tf.data.Dataset.from_tensor_slices((tf.zeros((256, 8)), tf.zeros((256, 1)))).batch(8, drop_remainder=True)
    m.fit(ds, steps_per_epoch=64, epochs=2)        # 32 batches, 128 asked: value error
