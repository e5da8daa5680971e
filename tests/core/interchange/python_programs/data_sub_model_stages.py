# {"classes": ["InputLayer", "Dense", "Dense", "Dense"], "input": [null, 8], "steps_per_epoch": 80, "steps_per_execution": 8, "batch": 4, "accumulation": 4, "stages": 2}
import tensorflow as tf
from tensorflow import keras
from tensorflow.python import ipu

config = ipu.config.IPUConfig()
config.auto_select_ipus = 2
config.configure_ipu_system()
class Staged(keras.Model):
    def __init__(self):
        super().__init__()
        self.a = keras.layers.Dense(32, activation="relu")
        self.b = keras.layers.Dense(32, activation="relu")
        self.c = keras.layers.Dense(2)
    def call(self, x):
        with ipu.keras.PipelineStage(0):
            x = self.a(x)
        with ipu.keras.PipelineStage(1):
            return self.c(self.b(x))
import numpy as np
strategy = ipu.ipu_strategy.IPUStrategy()
with strategy.scope():
    m = Staged()
    m.set_pipelining_options(gradient_accumulation_steps_per_replica=4)
    m.compile("sgd", "mse", steps_per_execution=8)
    m.fit(np.zeros((320, 8), dtype=np.float32), np.zeros((320, 2)), batch_size=4, epochs=1)
