# {"error": "value-error/label-shape", "line": 11, "says": "SparseCategoricalCrossentropy"}
import numpy as np
import tensorflow as tf
from tensorflow.python import ipu
cfg = ipu.config.IPUConfig()
cfg.auto_select_ipus = 1
cfg.configure_ipu_system()
with ipu.ipu_strategy.IPUStrategy().scope():
    model = tf.keras.Sequential([tf.keras.layers.Dense(10, activation="softmax", input_shape=(6,))])
    model.compile("sgd", "categorical_crossentropy", steps_per_execution=4)
    model.fit(np.zeros((64, 6), np.float32), np.zeros((64,), np.int32), batch_size=4)
