# {"error": "value-error/stage-missing", "says": "no layer of this PipelineModel was called in a PipelineStage"}
import tensorflow as tf
from tensorflow.python import ipu

cfg = ipu.utils.create_ipu_config()
cfg = ipu.utils.auto_select_ipus(cfg, 2)
ipu.utils.configure_ipu_system(cfg)
with ipu.ipu_strategy.IPUStrategy().scope():
    i = tf.keras.Input((8,))
    t = tf.keras.layers.Dense(8)(i)
    model = ipu.keras.PipelineModel(i, tf.keras.layers.Dense(1)(t), gradient_accumulation_count=4)
