# {"stages": 2, "stage_list": [0, 1, 1]}
import numpy as np
import tensorflow as tf
from tensorflow import keras
from tensorflow.python import ipu

cfg = ipu.config.IPUConfig()
cfg.auto_select_ipus = 2
cfg.configure_ipu_system()
strategy = ipu.ipu_strategy.IPUStrategy()

class FF(keras.layers.Layer):
    def __init__(self, units, name=None):
        super().__init__(name=name)
        self.dense = keras.layers.Dense(units)

    def call(self, x):
        return self.dense(x)

with strategy.scope():
    i = keras.Input((8,), batch_size=8)
    x = FF(8, name="block_0")(i)
    x = FF(8, name="block_1")(x)
    model = keras.Model(i, keras.layers.Dense(1, name="head")(x))
    assignment = model.get_pipeline_stage_assignment()
    for a in assignment:
        a.pipeline_stage = 1 if a.layer.name in ("block_1", "head") else 0
    assert [a.layer.name for a in assignment] == ["block_0", "block_1", "head"]
    assert [isinstance(a.layer, FF) for a in assignment] == [True, True, False]
    model.set_pipeline_stage_assignment(assignment)
    model.set_pipelining_options(gradient_accumulation_steps_per_replica=4)
    model.compile("sgd", "mse", steps_per_execution=8)
