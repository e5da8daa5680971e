# {"classes": ["InputLayer", "Dense", "Dense"]}
import numpy as np
import tensorflow.compat.v1 as tf
from tensorflow.python import ipu
from tensorflow.python.ipu.ops import pipelining_ops
from tensorflow.python.ipu import ipu_infeed_queue, ipu_outfeed_queue
tf.disable_v2_behavior()
ds = tf.data.Dataset.from_tensor_slices((np.random.rand(256, 32).astype(np.float32), np.random.randint(0, 10, 256).astype(np.int32))).batch(8, drop_remainder=True).repeat()
infeed = ipu_infeed_queue.IPUInfeedQueue(ds)
outfeed = ipu_outfeed_queue.IPUOutfeedQueue()
def stage1(lr, x, y):
    with tf.variable_scope("s1", use_resource=True):
        h = tf.layers.dense(x, 64, activation=tf.nn.relu)
    return lr, h, y
def stage2(lr, h, y):
    with tf.variable_scope("s2", use_resource=True):
        logits = tf.layers.dense(h, 10)
        loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels=y, logits=logits))
    return lr, loss, logits
def opt_fn(lr, loss, logits):
    return pipelining_ops.OptimizerFunctionOutput(tf.train.GradientDescentOptimizer(lr), loss)
def model(lr):
    with tf.variable_scope("vs", use_resource=True):
        return pipelining_ops.pipeline(computational_stages=[stage1, stage2], gradient_accumulation_count=8, repeat_count=2, inputs=[lr], infeed_queue=infeed, outfeed_queue=outfeed, optimizer_function=opt_fn, outfeed_mask=[True, False, True], name="P")
with ipu.scopes.ipu_scope("/device:IPU:0"):
    r = ipu.ipu_compiler.compile(model, inputs=[0.01])
cfg = ipu.config.IPUConfig()
cfg.auto_select_ipus = 2
cfg.configure_ipu_system()
deq = outfeed.dequeue()
with tf.Session() as sess:
    sess.run(infeed.initializer)
    sess.run(tf.global_variables_initializer())
    sess.run(r)
    print(sess.run(deq))
