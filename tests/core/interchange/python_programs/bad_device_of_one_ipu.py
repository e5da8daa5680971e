# {"error": "value-error/too-few-ipus", "says": "multiple of 2"}
import tensorflow as tf
from tensorflow.python import ipu

cfg = ipu.config.IPUConfig()
cfg.select_ipus = 4
cfg.ipu_model.compile_ipu_code = False
cfg.norms.experimental.distributed_batch_norm_replica_group_size = 1
cfg.gcl_poplar_options = {"useSynclessCollectives": "auto"}
cfg.configure_ipu_system()
with ipu.ipu_strategy.IPUStrategy().scope():
    model = tf.keras.Sequential([tf.keras.layers.Dense(8, input_shape=(4,)), tf.keras.layers.Dense(8)])
    model.set_pipeline_stage_assignment([0, 1])
    model.set_pipelining_options(gradient_accumulation_steps_per_replica=4)
    model.compile("sgd", "mse", steps_per_execution=4)
    ds = tf.data.Dataset.from_tensors((tf.zeros(4), tf.zeros(8))).repeat().batch(4, drop_remainder=True)
    model.fit(ds, steps_per_epoch=40)
