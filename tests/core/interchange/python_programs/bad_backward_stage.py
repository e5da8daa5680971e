# {"error": "value-error/stage-step", "line": 11}
import tensorflow as tf
from tensorflow import keras
from tensorflow.python import ipu

cfg = ipu.config.IPUConfig()
cfg.auto_select_ipus = 2
cfg.configure_ipu_system()
with ipu.ipu_strategy.IPUStrategy().scope():
    m = keras.Sequential([keras.layers.Dense(1, input_shape=(3,)), keras.layers.Dense(2), keras.layers.Dense(2)])
    m.set_pipeline_stage_assignment([0, 1, 0])
    m.compile("sgd", "mse", steps_per_execution=16)
