# {"error": "value-error/pipeline-option", "line": 12}
import tensorflow as tf
from tensorflow import keras
from tensorflow.python import ipu
import numpy as np
cfg = ipu.config.IPUConfig()
cfg.auto_select_ipus = 1
cfg.configure_ipu_system()
strategy = ipu.ipu_strategy.IPUStrategy()
with strategy.scope():
    model = keras.Sequential([keras.layers.Dense(16, input_shape=(32,)), keras.layers.Dense(2)])
    model.set_pipelining_options(gradient_accumulation_steps_per_replica=8, outfeed_loss=True)
    model.set_pipeline_stage_assignment([0, 0])
    model.compile(optimizer="sgd", loss="mse", steps_per_execution=8)
    x = np.random.rand(64, 32).astype(np.float32); y = np.random.rand(64, 2).astype(np.float32)
    model.fit(x, y, batch_size=8, epochs=2)
