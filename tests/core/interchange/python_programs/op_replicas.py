# {"classes": ["InputLayer", "CrossReplicaSum", "AssumeEqualAcrossReplicas"]}
import tensorflow as tf
from tensorflow import keras
from tensorflow.python import ipu
i = keras.Input((4, 6))
x = i
x = ipu.cross_replica_ops.cross_replica_sum(x)
x = ipu.cross_replica_ops.assume_equal_across_replicas(x)
inputs = [i]
model = keras.Model(inputs, x)
