# {"layer_count": 3, "batch": 4}
import numpy as np
import tensorflow as tf
from tensorflow import keras
from tensorflow.python import ipu

cfg = ipu.config.IPUConfig()
cfg.auto_select_ipus = 2
cfg.configure_ipu_system()
strategy = ipu.ipu_strategy.IPUStrategy()

with strategy.scope():
    base = keras.applications.ResNet50(include_top=False, pooling="avg", weights=None, input_shape=(224, 224, 3))
    model = keras.Sequential([base, keras.layers.Dense(10)])
    model.compile("sgd", keras.losses.SparseCategoricalCrossentropy(from_logits=True), steps_per_execution=8)
    model.fit(np.zeros((32, 224, 224, 3), np.float32), np.zeros((32,), np.int32), batch_size=4)
