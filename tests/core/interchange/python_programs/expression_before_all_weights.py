# {"no_warning": "python/no-gradient", "optimizer": "SGD"}
import numpy as np, tensorflow.compat.v1 as tf
from tensorflow.python import ipu
from tensorflow.python.ipu import pipelining_ops
tf.disable_v2_behavior()
ds = tf.data.Dataset.from_tensor_slices((np.zeros((64, 32), np.float32), np.zeros((64, 1), np.float32))).repeat().batch(4, drop_remainder=True)
infeed = ipu.ipu_infeed_queue.IPUInfeedQueue(ds)
outfeed = ipu.ipu_outfeed_queue.IPUOutfeedQueue()
def body(x, y):
    x = ipu.custom_ops.codelet_expression_op(lambda a, b: a * b + a, x, x)
    p = tf.layers.dense(x, 1)
    loss = tf.losses.mean_squared_error(y, p)
    opt = tf.train.GradientDescentOptimizer(0.1)
    return opt.minimize(loss), outfeed.enqueue(loss)
with ipu.scopes.ipu_scope("/device:IPU:0"):
    op = ipu.ipu_compiler.compile(lambda: ipu.loops.repeat(16, body, infeed_queue=infeed))
cfg = ipu.config.IPUConfig()
cfg.auto_select_ipus = 1
cfg.configure_ipu_system()
with tf.Session() as sess:
    sess.run([tf.global_variables_initializer(), infeed.initializer])
    sess.run(op)
