# {"warning": "python/host", "says": "\"dense_1\" is computed on the host, in the middle", "classes": ["InputLayer", "Dense", "Dense", "Dense", "HostTransfer", "HostTransfer"]}
import tensorflow as tf
from tensorflow import keras
from tensorflow.python import ipu
with ipu.ipu_strategy.IPUStrategy().scope():
    inputs = keras.Input((4,))
    x = keras.layers.Dense(3)(inputs)
    with ipu.scopes.outside_compilation_scope():
        x = keras.layers.Dense(2)(x)
    model = keras.Model(inputs, keras.layers.Dense(1)(x))
