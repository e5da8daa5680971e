# {"error": "value-error/stage-step", "line": 13}
import tensorflow as tf
from tensorflow import keras
from tensorflow.python import ipu

cfg = ipu.config.IPUConfig()
cfg.auto_select_ipus = 1
cfg.configure_ipu_system()
strategy = ipu.ipu_strategy.IPUStrategy()

with strategy.scope():
    m = keras.Sequential([keras.layers.Dense(1, input_shape=(3,)), keras.layers.Dense(2)])
    m.set_pipeline_stage_assignment([0, 2])
    m.compile("sgd", "mse")
