# {"steps_per_execution": 15, "warning": "python/steps-per-execution"}
import tensorflow as tf
from tensorflow.python import ipu

config = ipu.config.IPUConfig()
config.auto_select_ipus = 2
config.configure_ipu_system()
with ipu.ipu_strategy.IPUStrategy().scope():
    net = tf.keras.Sequential([tf.keras.layers.Dense(1, input_shape=(8,))])
    net.set_gradient_accumulation_options(gradient_accumulation_steps_per_replica=5)
    net.compile("sgd", "mse", steps_per_execution=15)
    net.fit(tf.zeros([600, 8]), tf.zeros([600, 1]), batch_size=4)
