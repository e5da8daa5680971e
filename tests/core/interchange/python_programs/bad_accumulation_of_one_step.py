# {"error": "runtime-error/steps-per-execution"}
import numpy as np
import tensorflow as tf
from tensorflow.python import ipu
cfg = ipu.config.IPUConfig(); cfg.auto_select_ipus = 1; cfg.configure_ipu_system()
X, Y = np.zeros((960, 4), "float32"), np.zeros((960, 2), "float32")
with ipu.ipu_strategy.IPUStrategy().scope():
    m = tf.keras.Sequential([tf.keras.layers.Dense(2, input_shape=(4,))])
    m.compile("adam", "mse")
    m.set_gradient_accumulation_options(gradient_accumulation_steps_per_replica=4)
    m.fit(X, Y, batch_size=8)
