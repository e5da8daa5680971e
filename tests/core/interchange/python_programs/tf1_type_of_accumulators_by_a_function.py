# {"stages": 2, "accumulation": 8}
import numpy as np
import tensorflow.compat.v1 as tf
from tensorflow.python import ipu
from tensorflow.python.ipu import pipelining_ops

tf.disable_v2_behavior()
ds = tf.data.Dataset.from_tensor_slices((np.zeros((64, 16), np.float32), np.zeros((64,), np.int32)))
infeed = ipu.ipu_infeed_queue.IPUInfeedQueue(ds.repeat().batch(8, drop_remainder=True))
outfeed = ipu.ipu_outfeed_queue.IPUOutfeedQueue()


def first(x, y):
    return tf.layers.dense(x, 8), y


def second(h, y):
    return tf.losses.sparse_softmax_cross_entropy(labels=y, logits=tf.layers.dense(h, 10))


def optimizer(loss):
    return pipelining_ops.OptimizerFunctionOutput(tf.train.MomentumOptimizer(0.1, 0.9), loss)


def net():
    return pipelining_ops.pipeline([first, second], 8, infeed_queue=infeed, outfeed_queue=outfeed,
                                   optimizer_function=optimizer,
                                   gradient_accumulation_dtype=lambda variable: tf.float32)


with ipu.scopes.ipu_scope("/device:IPU:0"):
    run = ipu.ipu_compiler.compile(net, [])
cfg = ipu.config.IPUConfig()
cfg.auto_select_ipus = 2
cfg.configure_ipu_system()
with tf.Session() as s:
    s.run(tf.global_variables_initializer())
    s.run(infeed.initializer)
    s.run(run)
