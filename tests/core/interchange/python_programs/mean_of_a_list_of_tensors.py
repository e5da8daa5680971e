# {"classes": ["InputLayer", "Dense", "Dense", "TFOpLambda", "TFOpLambda", "Dense"], "parameters": 98}
import numpy as np, tensorflow as tf
from tensorflow import keras
from tensorflow.keras import layers
from tensorflow.python import ipu
cfg = ipu.config.IPUConfig(); cfg.auto_select_ipus = 1; cfg.configure_ipu_system()

with ipu.ipu_strategy.IPUStrategy().scope():
    i = keras.Input((4, 6), batch_size=8)
    a, b = layers.Dense(6)(i), layers.Dense(6)(i)
    x = tf.reduce_mean([a, b], axis=0)
    m = keras.Model(i, layers.Dense(2)(x))
    
    m.compile("sgd", "mse", steps_per_execution=8)
    m.fit(np.zeros((64,)+(4,6), np.float32), np.zeros((64,)+(4,2), np.float32), batch_size=8)
