# {"classes": ["InputLayer", "AllGather", "TFOpLambda", "ReduceScatter"]}
import tensorflow as tf
from tensorflow import keras
from tensorflow.python import ipu
i = keras.Input((4,), batch_size=2)
x = i
x = ipu.all_to_all_op.all_gather(x, 2)
x = ipu.reduce_scatter_op.reduce_scatter(tf.reshape(x, [-1]), replication_factor=2, op='COLLECTIVE_OP_MAX')
inputs = [i]
model = keras.Model(inputs, x)
