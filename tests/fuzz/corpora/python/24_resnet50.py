# {"layer_count": 177, "batch": 4}
import numpy as np
import tensorflow as tf
from tensorflow import keras
from tensorflow.python import ipu

cfg = ipu.config.IPUConfig()
cfg.auto_select_ipus = 2
cfg.configure_ipu_system()
strategy = ipu.ipu_strategy.IPUStrategy()

with strategy.scope():
    model = keras.applications.ResNet50(include_top=True, weights=None, input_shape=(224, 224, 3), classes=10)
    model.compile("sgd", keras.losses.SparseCategoricalCrossentropy(), steps_per_execution=8)
    model.predict(np.zeros((32, 224, 224, 3), np.float32), batch_size=4)
