# {"stages": 2, "stage_list": [0, 0, 0, 0, 1, 1, 1], "optimizer": "SGD"}
import numpy as np
import tensorflow as tf
from tensorflow import keras
from tensorflow.python import ipu

cfg = ipu.config.IPUConfig()
cfg.auto_select_ipus = 2
cfg.configure_ipu_system()
strategy = ipu.ipu_strategy.IPUStrategy()

class Block(keras.layers.Layer):
    def __init__(self, units, **kwargs):
        super().__init__(**kwargs)
        self.dense = keras.layers.Dense(units)
        self.norm = keras.layers.LayerNormalization()

    def call(self, x):
        return self.norm(self.dense(x))

x, y = np.zeros((64, 8), np.float32), np.zeros((64, 1), np.float32)
with strategy.scope():
    model = keras.Sequential([Block(8), Block(8), Block(8), keras.layers.Dense(1)])
    model.build((8, 8))
    model.set_pipeline_stage_assignment([0, 0, 1, 1])
    model.set_pipelining_options(gradient_accumulation_steps_per_replica=4)
    model.compile("sgd", "mse", steps_per_execution=8)
    model.fit(x, y, batch_size=8)
