# {"accumulation": 4, "stages": 2}
import numpy as np
import tensorflow as tf
from tensorflow import keras
from tensorflow.python import ipu

cfg = ipu.config.IPUConfig()
cfg.auto_select_ipus = 2
cfg.configure_ipu_system()
r = np.random.RandomState(0)
x = r.rand(128, 8).astype(np.float32)
y = x[:, :1]
with ipu.ipu_strategy.IPUStrategy().scope():
    model = keras.Sequential([keras.layers.Dense(8, input_shape=(8,)), keras.layers.Dense(1)])
    model.compile("sgd", "mse", steps_per_execution=4)
    model.set_pipeline_stage_assignment([0, 1])
    model.set_pipelining_options(4, [0, 1], True, "mean")
    model.fit(x, y, batch_size=8)
