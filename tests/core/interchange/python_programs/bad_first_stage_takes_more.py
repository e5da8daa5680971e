# {"error": "value-error/infeed-values", "says": "s0() takes 3 values"}
import numpy as np
import tensorflow.compat.v1 as tf
from tensorflow.python import ipu
from tensorflow.python.ipu import pipelining_ops as po
tf.disable_v2_behavior()
ds = tf.data.Dataset.from_tensor_slices((np.zeros((960, 20), np.float32), np.zeros((960, 1), np.float32))).repeat().batch(8, drop_remainder=True)
q = ipu.ipu_infeed_queue.IPUInfeedQueue(ds); o = ipu.ipu_outfeed_queue.IPUOutfeedQueue()
def s0(lr, x, y): return tf.layers.dense(x, 8, name="a"), y
def s1(x, y): return tf.reduce_mean(tf.square(tf.layers.dense(x, 1, name="b") - y))
def of(loss): return po.OptimizerFunctionOutput(tf.train.GradientDescentOptimizer(0.1), loss)
def net():
    return po.pipeline(computational_stages=[s0, s1], gradient_accumulation_count=8, infeed_queue=q, outfeed_queue=o, optimizer_function=of)
with ipu.scopes.ipu_scope("/device:IPU:0"):
    c = ipu.ipu_compiler.compile(net, [])
cfg = ipu.config.IPUConfig(); cfg.auto_select_ipus = 2; cfg.configure_ipu_system()
with tf.Session() as s:
    s.run(c)
