# {"batch": 9, "input": [null, 16]}
import numpy as np
import tensorflow.compat.v1 as tf
from tensorflow.python import ipu

x = tf.placeholder(tf.float32, [None, 16])


def net(x):
    return tf.layers.dense(x, 4)


with ipu.scopes.ipu_scope("/device:IPU:0"):
    answer = ipu.ipu_compiler.compile(net, [x])
with tf.Session() as session:
    session.run(tf.global_variables_initializer())
    session.run(answer, {x: np.ones((9, 16), np.float32)})
