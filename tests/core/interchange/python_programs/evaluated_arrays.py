# {"warning": "python/predicts-only", "batch": 20, "steps_per_execution": 40, "steps_per_epoch": 400}
import numpy as np
import tensorflow as tf
from tensorflow.python import ipu
x = np.zeros((8000, 8), np.float32)
y = np.zeros((8000, 4), np.float32)
with ipu.ipu_strategy.IPUStrategy().scope():
    model = tf.keras.Sequential([tf.keras.layers.Dense(4, input_shape=(8,))])
    model.compile(loss="mse", steps_per_execution=40)
    model.evaluate(x, y, batch_size=20)
