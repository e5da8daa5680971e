# {"parameters": 105, "trainable": 5}
import numpy as np
import tensorflow.compat.v1 as tf
from tensorflow.python import ipu
from tensorflow.python.ipu import pipelining_ops as po
tf.disable_v2_behavior()
B, N = 8, 40
ds = tf.data.Dataset.from_tensor_slices((np.zeros((960, 20), np.float32), np.zeros((960,), np.int32))).repeat().batch(B, drop_remainder=True)
q = ipu.ipu_infeed_queue.IPUInfeedQueue(ds); o = ipu.ipu_outfeed_queue.IPUOutfeedQueue()
def body(x, y):
    w = tf.get_variable("w", [20, 5], trainable=False); b = tf.get_variable("b", [5])
    z = tf.nn.xw_plus_b(x, w, b)
    loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels=y, logits=z))
    return o.enqueue(loss), tf.train.FtrlOptimizer(0.1, l1_regularization_strength=0.01).minimize(loss)
with ipu.scopes.ipu_scope("/device:IPU:0"):
    c = ipu.ipu_compiler.compile(lambda: ipu.loops.repeat(N, body, [], q), [])
d = o.dequeue()
cfg = ipu.config.IPUConfig(); cfg.auto_select_ipus = 1; cfg.configure_ipu_system()
with tf.Session() as s:
    s.run(tf.global_variables_initializer()); s.run(q.initializer)
    for e in range(5): s.run(c); s.run(d)
