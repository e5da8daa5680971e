# {"error": "value-error/gradient-accumulation", "says": "accumulates gradients itself"}
import numpy as np
import tensorflow.compat.v1 as tf
from tensorflow.python import ipu
from tensorflow.python.ipu import pipelining_ops
ds = tf.data.Dataset.from_tensor_slices((np.zeros((64, 30), np.float32), np.zeros((64, 1), np.float32)))
infeed = ipu.ipu_infeed_queue.IPUInfeedQueue(ds.repeat().batch(4, drop_remainder=True))
outfeed = ipu.ipu_outfeed_queue.IPUOutfeedQueue()
def first(x, y):
    return tf.layers.dense(x, 64), y
def second(x, y):
    return tf.losses.mean_squared_error(y, tf.layers.dense(x, 1))
def optimizer(loss):
    rule = ipu.optimizers.GradientAccumulationOptimizerV2(tf.train.GradientDescentOptimizer(0.1), 4)
    return pipelining_ops.OptimizerFunctionOutput(rule, loss)
def net():
    return pipelining_ops.pipeline([first, second], 8, infeed_queue=infeed, outfeed_queue=outfeed,
                                   optimizer_function=optimizer)
with ipu.scopes.ipu_scope("/device:IPU:0"):
    op = ipu.ipu_compiler.compile(net)
cfg = ipu.config.IPUConfig()
cfg.auto_select_ipus = 2
cfg.configure_ipu_system()
