# {"steps_per_epoch": 10, "batch": 16, "warning": "python/predicts-only"}
import numpy as np
import tensorflow.compat.v1 as tf
from tensorflow.python import ipu
tf.disable_eager_execution()
with tf.device("cpu"):
    px = tf.placeholder(tf.float32, [16, 8])


def net(x):
    return tf.layers.dense(x, 1)


with ipu.scopes.ipu_scope("/device:IPU:0"):
    step = ipu.ipu_compiler.compile(net, inputs=[px])
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for i in range(10):
        sess.run(step, {px: np.zeros((16, 8))})
