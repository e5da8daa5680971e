# {"classes": ["InputLayer", "TFOpLambda", "ELU"], "config": [2, "alpha", 0.3]}
import numpy as np, tensorflow as tf
from tensorflow import keras
from tensorflow.keras import layers
from tensorflow.python import ipu
cfg = ipu.config.IPUConfig(); cfg.auto_select_ipus = 1; cfg.configure_ipu_system()

with ipu.ipu_strategy.IPUStrategy().scope():
    i = keras.Input((4,))
    m = keras.Model(i, keras.backend.elu(i - 0.5, 0.3))
    
    m.compile("sgd", "mse", steps_per_execution=8)
    m.fit(np.zeros((64,)+(4,), np.float32), np.zeros((64,)+(4,), np.float32), batch_size=8)
