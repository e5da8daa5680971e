# {"options": {"floating_point_behaviour.esr": true}, "parameters": 9}
import tensorflow as tf
from tensorflow.python import ipu

cfg = ipu.config.IPUConfig()
cfg.auto_select_ipus = 1
cfg.floating_point_behaviour.esr = ipu.config.StochasticRoundingBehaviour.ON
cfg.configure_ipu_system()
with ipu.ipu_strategy.IPUStrategy().scope():
    model = tf.keras.Sequential([tf.keras.Input((8,)), tf.keras.layers.Dense(1)])
    model.compile("sgd", "mse")
