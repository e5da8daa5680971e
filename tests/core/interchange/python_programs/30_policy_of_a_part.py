# {"config": [1, "dtype", {"class_name": "Policy", "config": {"name": "mixed_float16"}}], "classes": ["InputLayer", "Dense", "Activation", "Dense"]}
import numpy as np
import tensorflow as tf
from tensorflow import keras
from tensorflow.python import ipu
cfg = ipu.config.IPUConfig()
cfg.auto_select_ipus = 1
cfg.configure_ipu_system()
x = np.random.rand(256, 64).astype("float32")
y = np.zeros(256, "int32")
with ipu.ipu_strategy.IPUStrategy().scope():
    tf.keras.mixed_precision.set_global_policy("mixed_float16")
    inputs = keras.Input((64,))
    h = keras.layers.Dense(32)(inputs)
    h = keras.layers.Activation("relu", dtype="float32")(h)
    tf.keras.mixed_precision.set_global_policy("float32")
    outputs = keras.layers.Dense(5)(h)
    m = keras.Model(inputs, outputs)
    m.compile("sgd", keras.losses.SparseCategoricalCrossentropy(from_logits=True), steps_per_execution=4)
    m.fit(x, y, batch_size=64)
