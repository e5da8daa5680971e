# {"classes": ["InputLayer", "Dense", "Dense"], "input": [null, 3], "steps_per_execution": 8, "accumulation": 4, "stages": 2}
import tensorflow as tf
from tensorflow import keras
from tensorflow.python import ipu

import enum
class Schedule(enum.Enum):
    GROUPED = ipu.ops.pipelining_ops.PipelineSchedule.Grouped
    SEQ = ipu.ops.pipelining_ops.PipelineSchedule.Sequential
cfg = ipu.config.IPUConfig()
cfg.auto_select_ipus = 2
cfg.configure_ipu_system()
with ipu.ipu_strategy.IPUStrategy().scope():
    m = keras.Sequential([keras.layers.Dense(4, input_shape=(3,)), keras.layers.Dense(2)])
    m.set_pipeline_stage_assignment([*range(2)])
    m.set_pipelining_options(gradient_accumulation_steps_per_replica=1 << 2, pipeline_schedule=Schedule.SEQ.value)
    m.compile("sgd", "mse", steps_per_execution=8)
