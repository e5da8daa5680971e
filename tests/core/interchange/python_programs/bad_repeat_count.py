# {"error": "value-error/pipeline-option", "line": 12}
import tensorflow as tf
from tensorflow.python import ipu

cfg = ipu.config.IPUConfig()
cfg.auto_select_ipus = 2
cfg.configure_ipu_system()
D = tf.keras.layers.Dense
with ipu.ipu_strategy.IPUStrategy().scope():
    m = tf.keras.Sequential([tf.keras.Input((8,)), D(8), D(8), D(8), D(1)])
    m.set_pipeline_stage_assignment([0, 0, 1, 1])
    m.set_pipelining_options(gradient_accumulation_steps_per_replica=4, repeat_count=2)   # Keras sets repeat_count: value error
    m.compile("sgd", "mse", steps_per_execution=8)
    m.fit(tf.zeros((256, 8)), tf.zeros((256, 1)), batch_size=8)
