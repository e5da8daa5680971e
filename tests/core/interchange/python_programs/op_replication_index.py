# {"classes": ["InputLayer", "ReplicationIndex"]}
import tensorflow as tf
from tensorflow import keras
from tensorflow.python import ipu
i = keras.Input((4, 6))
x = i
x = ipu.replication_ops.replication_index()
inputs = [i]
model = keras.Model(inputs, x)
