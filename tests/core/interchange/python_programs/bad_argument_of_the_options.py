# {"error": "type-error/argument", "line": 11, "says": "gradient_accumulation_steps_per_replica="}
import tensorflow as tf
from tensorflow import keras
from tensorflow.python import ipu

cfg = ipu.config.IPUConfig()
cfg.auto_select_ipus = 1
cfg.configure_ipu_system()
with ipu.ipu_strategy.IPUStrategy().scope():
    model = keras.Sequential([keras.layers.Dense(8, input_shape=(4,)), keras.layers.Dense(1)])
    model.set_pipelining_options(gradient_accumulation_steps=8)
