# {"error": "python/unsupported", "says": "data_format"}
import numpy as np, tensorflow as tf
from tensorflow import keras
from tensorflow.keras import layers
from tensorflow.python import ipu
cfg = ipu.config.IPUConfig(); cfg.auto_select_ipus = 1; cfg.configure_ipu_system()

with ipu.ipu_strategy.IPUStrategy().scope():
    keras.backend.set_image_data_format("channels_first")
    i = keras.Input((3, 8, 8))
    x = layers.Conv2D(4, 3)(i)
    x = layers.BatchNormalization(axis=1)(x)
    x = layers.MaxPooling2D()(x)
    m = keras.Model(i, layers.Dense(2)(layers.Flatten()(x)))
    
    m.compile("sgd", "mse", steps_per_execution=8)
    m.fit(np.zeros((64,)+(3, 8, 8), np.float32), np.zeros((64,)+(2,), np.float32), batch_size=8)
