# {"effective_batch": 64, "stage_list": [0, 1, 1, 1, 1, 1], "loss": "SparseCategoricalCrossentropy"}
import tensorflow.compat.v1 as tf
from tensorflow.python import ipu
from tensorflow.python.ipu import pipelining_ops
tf.disable_v2_behavior()
ds = tf.data.Dataset.from_tensors((tf.zeros([8, 4]), tf.zeros([8], tf.int32))).repeat()
infeed, outfeed = ipu.ipu_infeed_queue.IPUInfeedQueue(ds), ipu.ipu_outfeed_queue.IPUOutfeedQueue()
def s0(x, y):
    return tf.layers.dense(x, 6), y
def s1(h, y):
    ce = tf.losses.sparse_softmax_cross_entropy(y, tf.layers.dense(h, 3))
    return ce + 1e-4 * tf.reduce_sum(tf.abs(h))
def opt(loss):
    return pipelining_ops.OptimizerFunctionOutput(tf.train.GradientDescentOptimizer(0.1), loss)
def net():
    return pipelining_ops.pipeline([s0, s1], gradient_accumulation_count=8, infeed_queue=infeed, outfeed_queue=outfeed, optimizer_function=opt)
cfg = ipu.config.IPUConfig()
cfg.auto_select_ipus = 2
cfg.configure_ipu_system()
with ipu.scopes.ipu_scope("/device:IPU:0"):
    op = ipu.ipu_compiler.compile(net, [])
with tf.Session() as sess:
    sess.run([tf.global_variables_initializer(), infeed.initializer])
    sess.run(op)
