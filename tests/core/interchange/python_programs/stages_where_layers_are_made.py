# {"stages": 2, "stage_list": [0, 1], "accumulation": 8}
import numpy as np, tensorflow as tf
from tensorflow import keras
from tensorflow.keras import layers
from tensorflow.python import ipu
cfg = ipu.config.IPUConfig(); cfg.auto_select_ipus = 2; cfg.configure_ipu_system()

with ipu.ipu_strategy.IPUStrategy().scope():
    class Net(keras.Model):
        def __init__(self):
            super().__init__()
            with ipu.keras.PipelineStage(0):
                self.a = layers.Dense(3, activation="relu")
            with ipu.keras.PipelineStage(1):
                self.b = layers.Dense(2)
        def call(self, x):
            return self.b(self.a(x))
    m = Net()
    m.build((8, 4))
    m.set_pipelining_options(gradient_accumulation_steps_per_replica=8)
    
    m.compile("sgd", "mse", steps_per_execution=8)
    m.fit(np.zeros((64,)+(4,), np.float32), np.zeros((64,)+(2,), np.float32), batch_size=8)
