# {"warning": "python/ignored", "says": "{'partialsType': 'float'}"}
import numpy as np
import tensorflow.compat.v1 as tf
from tensorflow.python import ipu
from tensorflow.python.ipu import pipelining_ops, ipu_infeed_queue, ipu_outfeed_queue
ds = tf.data.Dataset.from_tensor_slices((np.random.rand(64, 12).astype(np.float32), np.random.randint(0, 3, 64).astype(np.int32)))
ds = ds.repeat().batch(4, drop_remainder=True)
iq = ipu_infeed_queue.IPUInfeedQueue(ds)
oq = ipu_outfeed_queue.IPUOutfeedQueue()
def body(loss, x, y):
    logits = sr(x)
    loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels=y, logits=logits))
    train = tf.train.GradientDescentOptimizer(0.1).minimize(loss)
    with tf.control_dependencies([train]):
        return tf.identity(loss)
def sr(t):
    with ipu.scopes.partials_type(tf.float32):
        return tf.layers.dense(t, 3)
def net():
    return ipu.loops.repeat(10, body, [0.0], iq)
with ipu.scopes.ipu_scope("/device:IPU:0"):
    op = ipu.ipu_compiler.compile(net)
cfg = ipu.config.IPUConfig()
cfg.auto_select_ipus = 1
cfg.configure_ipu_system()
with tf.Session() as sess:
    sess.run(iq.initializer)
    sess.run(tf.global_variables_initializer())
    sess.run(op)
