# {"ipus": 2, "classes": ["InputLayer", "Flatten", "Dense"]}
import tensorflow as tf
from tensorflow import keras
from tensorflow.python import ipu
config = ipu.config.IPUConfig()
config.auto_select_ipus = 2
config.matmuls.clear_pass_type = True
config.floating_point_behaviour.esr = ipu.config.StochasticRoundingBehaviour.ON if False else True
config.configure_ipu_system()
strategy = ipu.ipu_strategy.IPUStrategy()
with strategy.scope():
    i = keras.Input((28, 28))
    x = keras.layers.Flatten()(i)
    x = keras.layers.Dense(4)(x)
    model = keras.Model(i, x)
