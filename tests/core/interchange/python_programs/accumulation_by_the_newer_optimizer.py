# {"accumulation": 8, "parameters": 33, "batch": 4}
import numpy as np
import tensorflow as tf
from tensorflow.python import ipu

rng = np.random.RandomState(1)
words = rng.zipf(1.3, size=(64, 3))
words = words + rng.poisson(3.0, (64, 3)) * np.random.default_rng(0).exponential(size=(64, 3))
noise = rng.multivariate_normal([0.0, 0.0], [[1.0, 0.0], [0.0, 1.0]], size=64)
x = np.concatenate([words, noise, rng.dirichlet([1.0, 2.0, 3.0], 64)], axis=1).astype(np.float32)
config = ipu.config.IPUConfig()
config.auto_select_ipus = 1
config.configure_ipu_system()
with ipu.ipu_strategy.IPUStrategy().scope():
    model = tf.keras.Sequential([tf.keras.layers.Dense(3), tf.keras.layers.Dense(1), tf.keras.layers.Dense(1)])
    model.set_gradient_accumulation_options(gradient_accumulation_steps_per_replica=8,
                                            use_v2_gradient_accumulation_optimizer=True,
                                            offload_weight_update_variables=False)
    model.compile("sgd", "mse", steps_per_execution=16)
    model.fit(x, np.zeros((64, 1), np.float32), batch_size=4)
