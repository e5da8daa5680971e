# {"parameters": 42}
import numpy as np
import tensorflow.compat.v1 as tf
from tensorflow.python import ipu
tf.disable_v2_behavior()
cfg = ipu.config.IPUConfig()
cfg.auto_select_ipus = 1
cfg.configure_ipu_system()
ds = tf.data.Dataset.from_tensors((tf.zeros([6]), tf.zeros([1]))).repeat().batch(4, drop_remainder=True)
inq = ipu.ipu_infeed_queue.IPUInfeedQueue(ds); outq = ipu.ipu_outfeed_queue.IPUOutfeedQueue()
def net(v):
    return ipu.loops.repeat(5, lambda a: tf.tanh(tf.layers.dense(a, 6, name="d")), [v])
with tf.device("cpu"):
    p = tf.placeholder(tf.float32, [4, 6])
with ipu.scopes.ipu_scope("/device:IPU:0"):
    op = ipu.ipu_compiler.compile(net, [p])
with tf.Session() as s:
    s.run(tf.global_variables_initializer()); s.run(op, {p: np.zeros((4, 6))})
