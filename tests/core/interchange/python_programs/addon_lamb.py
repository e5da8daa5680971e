# {"optimizer": "LAMB", "optimizer_config": {"learning_rate": 0.001, "weight_decay_rate": 0.01}}
import numpy as np
import tensorflow as tf
import tensorflow_addons as tfa
from tensorflow.python import ipu
with ipu.ipu_strategy.IPUStrategy().scope():
    m = tf.keras.Sequential([tf.keras.layers.Dense(2, input_shape=(4,))])
    m.compile(tfa.optimizers.LAMB(learning_rate=1e-3, weight_decay_rate=0.01), "mse", steps_per_execution=10)
    m.fit(np.zeros((80, 4), "f4"), np.zeros((80, 2), "f4"), batch_size=8)
