# {"classes": ["InputLayer", "Dense", "RecomputationCheckpoint", "Dense"]}
import tensorflow as tf
from tensorflow import keras
from tensorflow.python import ipu
i = keras.Input((4, 6))
x = i
x = keras.layers.Dense(4)(x)
x = ipu.pipelining_ops.recomputation_checkpoint(x)
x = keras.layers.Dense(4)(x)
inputs = [i]
model = keras.Model(inputs, x)
