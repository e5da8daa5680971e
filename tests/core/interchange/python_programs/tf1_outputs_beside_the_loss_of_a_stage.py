# {"warning": "python/ignored", "says": "beside the loss is left out: value 3"}
import numpy as np
import tensorflow.compat.v1 as tf
from tensorflow.python import ipu
tf.disable_v2_behavior()
ds = tf.data.Dataset.from_tensor_slices((np.zeros((64, 8), np.float32), np.zeros((64,), np.int32))).repeat().batch(8, drop_remainder=True)
infeed = ipu.ipu_infeed_queue.IPUInfeedQueue(ds)
outfeed = ipu.ipu_outfeed_queue.IPUOutfeedQueue()

def a(x, y):
    return tf.layers.dense(x, 16, tf.nn.relu), y
def b(x, y):
    logits = tf.layers.dense(x, 10)
    return tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels=y, logits=logits)), logits, tf.nn.softmax(logits)
def opt(loss, *_):
    return ipu.pipelining_ops.OptimizerFunctionOutput(tf.train.GradientDescentOptimizer(0.1), loss)
def net():
    with tf.variable_scope("v", use_resource=True):
        return ipu.pipelining_ops.pipeline([a, b], 8, infeed_queue=infeed, outfeed_queue=outfeed, optimizer_function=opt, outfeed_mask=[False, True, False])

with ipu.scopes.ipu_scope("/device:IPU:0"):
    run = ipu.ipu_compiler.compile(net, [])
cfg = ipu.config.IPUConfig(); cfg.auto_select_ipus = 2; cfg.configure_ipu_system()
with tf.Session() as s:
    s.run(infeed.initializer); s.run(run)

