# {"error": "python/value", "line": 17, "says": "write gradient_accumulation_count="}
import numpy as np
import tensorflow.compat.v1 as tf
from tensorflow.python import ipu
from tensorflow.python.ipu import pipelining_ops, ipu_infeed_queue, ipu_outfeed_queue
ds = tf.data.Dataset.from_tensor_slices((np.random.rand(64, 12).astype(np.float32), np.random.randint(0, 3, 64).astype(np.int32)))
ds = ds.repeat().batch(4, drop_remainder=True)
iq = ipu_infeed_queue.IPUInfeedQueue(ds)
oq = ipu_outfeed_queue.IPUOutfeedQueue()
def s0(x, y):
    return tf.keras.layers.Dense(16, activation="relu")(x), y
def s1(x, y):
    return tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels=y, logits=tf.keras.layers.Dense(3)(x)))
def opt(loss):
    return pipelining_ops.OptimizerFunctionOutput(tf.train.GradientDescentOptimizer(0.1), loss)
def net():
    return pipelining_ops.pipeline([s0, s1], infeed_queue=iq, outfeed_queue=oq,
                                   optimizer_function=opt, gradient_accumulation_steps_per_replica=8)
with ipu.scopes.ipu_scope("/device:IPU:0"):
    op = ipu.ipu_compiler.compile(net)
cfg = ipu.config.IPUConfig()
cfg.auto_select_ipus = 2
cfg.configure_ipu_system()
with tf.Session() as sess:
    sess.run(iq.initializer)
    sess.run(tf.global_variables_initializer())
    sess.run(op)
