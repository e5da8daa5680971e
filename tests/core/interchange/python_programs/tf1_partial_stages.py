# {"stages": 2, "parameters": 161, "accumulation": 4}
import functools
import tensorflow.compat.v1 as tf
from tensorflow.python import ipu
from tensorflow.python.ipu.ops import pipelining_ops

tf.disable_v2_behavior()
ds = tf.data.Dataset.from_tensors((tf.zeros([8]), tf.zeros([1]))).repeat().batch(4, drop_remainder=True)
infeed = ipu.ipu_infeed_queue.IPUInfeedQueue(ds)
outfeed = ipu.ipu_outfeed_queue.IPUOutfeedQueue()

def hidden(x, y, units):
    return tf.layers.dense(x, units), y

def head(x, y):
    return tf.losses.mean_squared_error(y, tf.layers.dense(x, 1))

def opt(loss):
    return pipelining_ops.OptimizerFunctionOutput(tf.train.GradientDescentOptimizer(0.1), loss)

def net():
    return pipelining_ops.pipeline([functools.partial(hidden, units=16), head], gradient_accumulation_count=4,
                                   infeed_queue=infeed, outfeed_queue=outfeed, optimizer_function=opt)

with ipu.scopes.ipu_scope("/device:IPU:0"):
    run = ipu.ipu_compiler.compile(net)
cfg = ipu.config.IPUConfig()
cfg.auto_select_ipus = 2
cfg.configure_ipu_system()
with tf.Session() as sess:
    sess.run(infeed.initializer)
    sess.run(tf.global_variables_initializer())
    sess.run(run)
