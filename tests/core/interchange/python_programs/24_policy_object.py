# {"precision": "mixed_float16", "optimizer_config": {"learning_rate": 0.05}}
import numpy as np
from tensorflow import keras
from tensorflow.keras import mixed_precision
from tensorflow.python import ipu

cfg = ipu.config.IPUConfig()
cfg.auto_select_ipus = 1
cfg.configure_ipu_system()
policy = mixed_precision.Policy("mixed_float16")
mixed_precision.set_global_policy(policy)
print("Compute dtype: %s" % policy.compute_dtype)
with ipu.ipu_strategy.IPUStrategy().scope():
    model = keras.Sequential([keras.layers.Dense(1, input_shape=(8,))])
    model.compile(keras.optimizers.SGD(0.1), "mse", steps_per_execution=4)
    model.optimizer.learning_rate = 0.05
    model.fit(np.zeros((64, 8)), np.zeros((64, 1)), batch_size=8)
