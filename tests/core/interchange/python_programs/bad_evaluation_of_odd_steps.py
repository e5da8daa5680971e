# {"error": "failed-precondition/micro-batch-multiple", "line": 18}
import numpy as np, tensorflow as tf
from tensorflow.python import ipu
cfg = ipu.config.IPUConfig()
cfg.auto_select_ipus = 2
cfg.configure_ipu_system()
ds = tf.data.Dataset.from_tensor_slices((np.zeros((640, 16, 32), np.float32), np.zeros((640, 1), np.float32))).batch(8, drop_remainder=True).repeat()

with ipu.ipu_strategy.IPUStrategy().scope():
    m = tf.keras.Sequential([
        tf.keras.layers.InputLayer((16, 32)),
        tf.keras.layers.Dense(8),
        tf.keras.layers.GlobalAveragePooling1D(),
        tf.keras.layers.Dense(1)])
    m.set_pipeline_stage_assignment([0, 0, 1]); m.set_pipelining_options(gradient_accumulation_steps_per_replica=8)
    m.compile("sgd", "mse", steps_per_execution=8)
    m.fit(ds, steps_per_epoch=80)
    m.evaluate(ds, steps=7)
