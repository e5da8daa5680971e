# {"precision": "float16", "config": [2, "dtype", {"class_name": "Policy", "config": {"name": "float32"}}], "classes": ["InputLayer", "Dense", "Dense", "Dense"]}
import numpy as np
import tensorflow as tf
from tensorflow import keras
from tensorflow.keras import mixed_precision
from tensorflow.python import ipu
cfg = ipu.config.IPUConfig()
cfg.auto_select_ipus = 1
cfg.configure_ipu_system()
mixed_precision.set_global_policy("float16")
x = np.random.rand(256, 64).astype("float16")
y = np.zeros(256, "int32")
with ipu.ipu_strategy.IPUStrategy().scope():
    m = keras.Sequential([
        keras.Input((64,)),
        keras.layers.Dense(32),
        keras.layers.Dense(16, dtype=mixed_precision.Policy("float32")),
        keras.layers.Dense(5, dtype=tf.float32),
    ])
    assert m.layers[-1].dtype == "float32" and m.layers[-1].compute_dtype == "float32"
    assert m.layers[-2].dtype_policy.name == "float32"
    m.compile("sgd", keras.losses.SparseCategoricalCrossentropy(from_logits=True), steps_per_execution=4)
    m.fit(x, y, batch_size=64)
