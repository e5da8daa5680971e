# {"error": "value-error/infeed-values", "says": "no part of that name"}
import numpy as np
import tensorflow.compat.v1 as tf
from tensorflow.python import ipu
tf.disable_v2_behavior()
ds = tf.data.Dataset.from_tensor_slices((np.zeros((960, 20), np.float32), np.zeros((960, 1), np.float32))).repeat().batch(8, drop_remainder=True)
q = ipu.ipu_infeed_queue.IPUInfeedQueue(ds.map(lambda a, b: {"feat": a, "lab": b})); o = ipu.ipu_outfeed_queue.IPUOutfeedQueue()
def body(x, y):
    l = tf.reduce_mean(tf.square(tf.layers.dense(x, 1) - y))
    return o.enqueue(l), tf.train.GradientDescentOptimizer(0.1).minimize(l)
with ipu.scopes.ipu_scope("/device:IPU:0"):
    c = ipu.ipu_compiler.compile(lambda: ipu.loops.repeat(10, body, [], q), [])
with tf.Session() as s:
    s.run(c)
