# {"classes": ["InputLayer", "TFOpLambda", "Dropout"]}
import numpy as np, tensorflow as tf
from tensorflow import keras
from tensorflow.keras import layers
from tensorflow.python import ipu
cfg = ipu.config.IPUConfig(); cfg.auto_select_ipus = 1; cfg.configure_ipu_system()

with ipu.ipu_strategy.IPUStrategy().scope():
    K = keras.backend
    i = keras.Input((4,))
    x = i - 0.5
    x = K.dropout(x, 0.5)
    m = keras.Model(i, x)
    
    m.compile("sgd", "mse", steps_per_execution=8)
    m.fit(np.zeros((64,)+(4,), np.float32), np.zeros((64,)+(4,), np.float32), batch_size=8)
