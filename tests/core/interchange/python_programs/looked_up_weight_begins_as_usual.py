# {"config": [1, "embeddings_initializer", "glorot_uniform"]}
import numpy as np
import tensorflow.compat.v1 as tf
from tensorflow.python import ipu
tf.disable_v2_behavior()
x = tf.placeholder(np.int32, [4, 3])
def net(ids):
    table = tf.get_variable("items", [20, 8])
    return tf.layers.dense(tf.reduce_mean(ipu.embedding_ops.embedding_lookup(table, ids), 1), 2)
with ipu.scopes.ipu_scope("/device:IPU:0"):
    out = ipu.ipu_compiler.compile(net, [x])
with tf.Session() as session:
    session.run(tf.global_variables_initializer())
    session.run(out, {x: np.zeros((4, 3), np.int32)})
