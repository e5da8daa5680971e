# {"stages": 2, "accumulation": 32, "batch": 4, "steps_per_epoch": 768, "steps_per_execution": 192, "replicas": 2, "effective_batch": 256}
import numpy as np
import tensorflow as tf
from tensorflow.python import ipu

cfg = ipu.utils.create_ipu_config()
cfg = ipu.utils.auto_select_ipus(cfg, 4)
ipu.utils.configure_ipu_system(cfg)
x = np.ones((64, 8), np.float32)
y = np.ones((64, 1), np.float32)
ds = tf.data.Dataset.from_tensor_slices((x, y)).batch(4, drop_remainder=True).repeat()
strategy = ipu.ipu_strategy.IPUStrategy()
with strategy.scope():
    m = ipu.keras.PipelineSequential([[tf.keras.layers.Dense(16)], [tf.keras.layers.Dense(1)]],
                                     gradient_accumulation_count=32)
    m.compile(loss='mse', optimizer=tf.keras.optimizers.SGD(0.1))
    m.fit(ds, steps_per_epoch=24, epochs=2, steps_per_run=6)
