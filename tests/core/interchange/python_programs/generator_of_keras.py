# {"error": "value-error/generator", "line": 16}
import numpy as np
import tensorflow as tf
from tensorflow import keras
from tensorflow.python import ipu

cfg = ipu.config.IPUConfig()
cfg.auto_select_ipus = 1
cfg.configure_ipu_system()
r = np.random.RandomState(0)
x = r.rand(128, 8).astype(np.float32)
y = x[:, :1]
with ipu.ipu_strategy.IPUStrategy().scope():
    model = keras.Sequential([keras.layers.Dense(8, input_shape=(8,)), keras.layers.Dense(1)])
    model.compile("sgd", "mse")
    model.fit(keras.preprocessing.image.ImageDataGenerator().flow_from_directory("train", batch_size=16),
              steps_per_epoch=10)
