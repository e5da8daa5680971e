# {"classes": ["InputLayer", "CrossReplicaMean"]}
import tensorflow as tf
from tensorflow import keras
from tensorflow.python import ipu
i = keras.Input((4, 6))
x = i
x = ipu.horovod.allreduce(x)
inputs = [i]
model = keras.Model(inputs, x)
