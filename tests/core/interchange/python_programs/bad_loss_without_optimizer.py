# {"error": "value-error/outfeed-without-optimizer"}
import numpy as np, tensorflow.compat.v1 as tf
from tensorflow.python import ipu
from tensorflow.python.ipu import pipelining_ops
tf.disable_v2_behavior()
ds = tf.data.Dataset.from_tensor_slices((np.zeros((64, 32), np.float32), np.zeros((64, 1), np.float32))).repeat().batch(4, drop_remainder=True)
infeed = ipu.ipu_infeed_queue.IPUInfeedQueue(ds)
outfeed = ipu.ipu_outfeed_queue.IPUOutfeedQueue()
def s0(x, y):
    return tf.layers.dense(x, 8, activation=tf.nn.relu), y
def s1(x, y):
    return tf.losses.mean_squared_error(y, tf.layers.dense(x, 1))
def of(loss):
    return pipelining_ops.OptimizerFunctionOutput(tf.train.MomentumOptimizer(0.1, 0.9), loss)
def net():
    return pipelining_ops.pipeline([s0, lambda x, y: tf.layers.dense(x, 1)], 8, infeed_queue=infeed, outfeed_queue=outfeed, outfeed_loss=True)
with ipu.scopes.ipu_scope("/device:IPU:0"):
    op = ipu.ipu_compiler.compile(net)
cfg = ipu.config.IPUConfig()
cfg.auto_select_ipus = 2
cfg.configure_ipu_system()
with tf.Session() as sess:
    sess.run([tf.global_variables_initializer(), infeed.initializer])
    sess.run(op)
