# {"warning": "python/replaced", "says": "the options of the pipeline were changed since the training before", "epochs": 2, "schedule": "Sequential"}
import numpy as np
from tensorflow import keras
from tensorflow.python import ipu
from tensorflow.python.ipu.ops.pipelining_ops import PipelineSchedule

cfg = ipu.config.IPUConfig()
cfg.auto_select_ipus = 2
cfg.configure_ipu_system()
x, y = np.zeros((64, 8), np.float32), np.zeros((64, 1), np.float32)
with ipu.ipu_strategy.IPUStrategy().scope():
    model = keras.Sequential([keras.layers.Dense(8, input_shape=(8,)), keras.layers.Dense(1)])
    model.set_pipeline_stage_assignment([0, 1])
    model.set_pipelining_options(4)
    model.compile("sgd", "mse", steps_per_execution=8)
    model.fit(x, y, batch_size=8)
    model.set_pipelining_options(pipeline_schedule=PipelineSchedule.Sequential)
    model.fit(x, y, batch_size=8)
