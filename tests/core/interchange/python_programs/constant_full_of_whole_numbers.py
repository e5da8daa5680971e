# {"stage_list": [0, 0, 1, 1]}
import numpy as np
import tensorflow as tf
from tensorflow import keras
from tensorflow.keras import layers
from tensorflow.python import ipu
cfg = ipu.config.IPUConfig()
cfg.auto_select_ipus = 2
cfg.configure_ipu_system()
with ipu.ipu_strategy.IPUStrategy().scope():
    m = keras.Sequential([keras.Input((4,))] + [layers.Dense(8) for _ in range(4)])
    m.set_pipeline_stage_assignment(np.concatenate([np.full(len(c), i) for i, c in enumerate(np.array_split(np.arange(4), 2))]).tolist())
    m.set_pipelining_options(gradient_accumulation_steps_per_replica=8)
    m.compile("sgd", "mse", steps_per_execution=8)
    m.fit(np.zeros((64, 4), "f4"), np.zeros((64, 8), "f4"), batch_size=8, epochs=2)
