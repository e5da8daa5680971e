# {"classes": ["InputLayer", "Dense", "TFOpLambda", "Dense"], "config": [3, "kernel_initializer", {"class_name": "Constant", "config": {"value": [0.5, 0.25, 0.125, 0.0625]}}], "optimizer": "SGD", "warning": "python/ignored", "parameters": 41}
import numpy as np
import tensorflow.compat.v1 as tf
from tensorflow.python import ipu
tf.disable_v2_behavior()
unknown = np.random.normal(0, 0.1, (8, 4)).astype(np.float32)
known = np.array([[0.5], [0.25], [0.125], [0.0625]], np.float32)
ds = tf.data.Dataset.from_tensor_slices((tf.ones([64, 8]), tf.ones([64, 1]))).batch(8, drop_remainder=True).repeat()
infeed = ipu.ipu_infeed_queue.IPUInfeedQueue(ds)
outfeed = ipu.ipu_outfeed_queue.IPUOutfeedQueue()
def body(x, y):
    with tf.variable_scope("m", use_resource=True):
        w = tf.get_variable("w", initializer=unknown)
        b = tf.get_variable("b", shape=[4], initializer=tf.zeros_initializer())
        h = tf.nn.tanh(tf.matmul(x, w) + b)
        v = tf.get_variable("v", initializer=known)
        c = tf.get_variable("c", initializer=np.zeros(1, np.float32))
        p = tf.matmul(h, v) + c
    loss = tf.losses.mean_squared_error(y, p)
    with tf.control_dependencies([tf.train.GradientDescentOptimizer(0.1).minimize(loss)]):
        return outfeed.enqueue(loss)
def net():
    return ipu.loops.repeat(8, body, [], infeed)
with ipu.scopes.ipu_scope("/device:IPU:0"):
    op = ipu.ipu_compiler.compile(net, [])
