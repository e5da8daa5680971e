# {"stages": 2, "accumulation": 8}
import numpy as np, tensorflow as tf
from tensorflow import keras
from tensorflow.keras import layers
from tensorflow.python import ipu
cfg = ipu.config.IPUConfig(); cfg.auto_select_ipus = 2; cfg.configure_ipu_system()

with ipu.ipu_strategy.IPUStrategy().scope():
    def mk():
        with ipu.keras.PipelineStage(0):
            yield layers.Dense(3)
        with ipu.keras.PipelineStage(1):
            yield layers.Dense(2)
    m = keras.Sequential([keras.Input((4,))] + list(mk()))
    m.set_pipelining_options(gradient_accumulation_steps_per_replica=8)
    
    m.compile("sgd", "mse", steps_per_execution=8)
    m.fit(np.zeros((64,)+(4,), np.float32), np.zeros((64,)+(2,), np.float32), batch_size=8)
