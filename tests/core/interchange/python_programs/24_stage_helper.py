# {"stages": 2, "stage_list": [0, 1], "accumulation": 8}
from contextlib import contextmanager
import numpy as np
import tensorflow as tf
from tensorflow import keras
from tensorflow.python import ipu

cfg = ipu.config.IPUConfig()
cfg.auto_select_ipus = 2
cfg.configure_ipu_system()

@contextmanager
def stage(n):
    with ipu.keras.PipelineStage(n):
        yield

with ipu.ipu_strategy.IPUStrategy().scope():
    i = keras.Input((32,))
    with stage(0):
        x = keras.layers.Dense(64)(i)
    with stage(1):
        x = keras.layers.Dense(10)(x)
    model = keras.Model(i, x)
    model.set_pipelining_options(gradient_accumulation_steps_per_replica=8)
    model.compile("sgd", "mse", steps_per_execution=8)
    model.fit(np.zeros((64, 32)), np.zeros((64, 10)), batch_size=4)
