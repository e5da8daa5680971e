# {"classes": ["InputLayer", "Dense", "Dense"], "batch": 12, "optimizer": "Adam", "loss": "LossFunction"}
import numpy as np
import tensorflow.compat.v1 as tf
from tensorflow.python import ipu
data = tf.data.Dataset.from_tensor_slices((np.zeros((120, 20), np.float32), np.zeros((120, 1), np.float32)))
infeed = ipu.ipu_infeed_queue.IPUInfeedQueue(data.repeat().batch(12, drop_remainder=True))
outfeed = ipu.ipu_outfeed_queue.IPUOutfeedQueue()
def body(x, y):
    p = tf.layers.dense(tf.layers.dense(x, 16, activation=tf.nn.relu), 1)
    loss = tf.reduce_mean(tf.squared_difference(p, y))
    with ipu.scopes.outside_compilation_scope():
        printed = tf.print("the loss is", loss, tf.py_function(lambda v: v, [loss], tf.float32))
    train = tf.train.AdamOptimizer(0.001).minimize(loss)
    with tf.control_dependencies([train, printed]):
        return outfeed.enqueue(loss)
with ipu.scopes.ipu_scope("/device:IPU:0"):
    op = ipu.ipu_compiler.compile(lambda: ipu.loops.repeat(10, body, infeed_queue=infeed))
