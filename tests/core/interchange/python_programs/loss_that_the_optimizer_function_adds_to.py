# {"stages": 2, "accumulation": 8, "classes": ["InputLayer", "Dense", "TFOpLambda", "Dense", "TFOpLambda", "AddLoss"]}
import numpy as np
import tensorflow.compat.v1 as tf
from tensorflow.python import ipu
from tensorflow.python.ipu import pipelining_ops

r = np.random.RandomState(0)
dataset = tf.data.Dataset.from_tensor_slices((r.rand(640, 6).astype(np.float32), r.rand(640, 1).astype(np.float32)))
queue = ipu.ipu_infeed_queue.IPUInfeedQueue(dataset.batch(4, drop_remainder=True).repeat())
outfeed = ipu.ipu_outfeed_queue.IPUOutfeedQueue()
cfg = ipu.config.IPUConfig()
cfg.auto_select_ipus = 2
cfg.configure_ipu_system()


def first(x, y):
    h = tf.layers.dense(x, 8)
    return h, y, tf.reduce_mean(h)


def second(h, y, m):
    return tf.losses.mean_squared_error(y, tf.layers.dense(h, 1)), m


def optimizer(loss, m):
    return pipelining_ops.OptimizerFunctionOutput(tf.train.AdamOptimizer(0.01), loss + 0.01 * m)


def net():
    return pipelining_ops.pipeline([first, second], 8, infeed_queue=queue, outfeed_queue=outfeed,
                                   optimizer_function=optimizer)


with ipu.scopes.ipu_scope("/device:IPU:0"):
    train = ipu.ipu_compiler.compile(net)
with tf.Session() as session:
    session.run(train)
