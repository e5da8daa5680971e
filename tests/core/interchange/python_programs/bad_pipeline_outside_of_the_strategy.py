# {"error": "runtime-error/no-strategy", "says": "outside of the scope"}
import numpy as np
import tensorflow as tf
from tensorflow import keras
from tensorflow.keras import layers
from tensorflow.python import ipu
cfg = ipu.config.IPUConfig()
cfg.auto_select_ipus = 2
cfg.configure_ipu_system()
x = np.zeros((64, 4), "f4"); y = np.zeros((64, 1), "f4")
strategy = ipu.ipu_strategy.IPUStrategy()
if True:
    m = keras.Sequential([layers.Dense(8, input_shape=(4,)), layers.Dense(1)])
    m.set_pipeline_stage_assignment([0, 1])
    m.set_pipelining_options(gradient_accumulation_steps_per_replica=4)
    m.compile("sgd", "mse", steps_per_execution=8)
    m.fit(x, y, batch_size=4, epochs=2)
