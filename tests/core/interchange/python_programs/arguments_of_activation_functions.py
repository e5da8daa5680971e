# {"classes": ["InputLayer", "Dense", "ReLU"], "config": [2, "max_value", 3.0]}
import numpy as np, tensorflow as tf
from tensorflow import keras
from tensorflow.keras import layers
from tensorflow.python import ipu
cfg = ipu.config.IPUConfig(); cfg.auto_select_ipus = 1; cfg.configure_ipu_system()

with ipu.ipu_strategy.IPUStrategy().scope():
    i = keras.Input((10,))
    x = layers.Dense(6)(i)
    x = tf.keras.activations.relu(x, alpha=0.1, max_value=3.0)
    m = keras.Model(i, x)
    
    m.compile("sgd", "mse", steps_per_execution=8)
    m.fit(np.zeros((64,)+(10,), np.float32), np.zeros((64,)+(6,), np.float32), batch_size=8)
