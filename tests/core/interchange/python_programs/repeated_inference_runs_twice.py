# {"steps_per_epoch": 48}
import numpy as np
import tensorflow.compat.v1 as tf
from tensorflow.python import ipu
from tensorflow.python.ipu.ops.pipelining_ops import pipeline
tf.disable_v2_behavior()
def a(x):
    return tf.layers.dense(x, 8)
def b(x):
    return tf.layers.dense(x, 3)
ds = tf.data.Dataset.from_tensors(np.zeros((9,), np.float32)).repeat().batch(2, drop_remainder=True)
i = ipu.ipu_infeed_queue.IPUInfeedQueue(ds)
o = ipu.ipu_outfeed_queue.IPUOutfeedQueue()
def net():
    return pipeline([a, b], 4, repeat_count=6, infeed_queue=i, outfeed_queue=o)
with ipu.scopes.ipu_scope('/device:IPU:0'):
    go = ipu.ipu_compiler.compile(net, inputs=[])
out = o.dequeue()
cfg = ipu.config.IPUConfig()
cfg.auto_select_ipus = 2
cfg.configure_ipu_system()
with tf.Session() as sess:
    sess.run(i.initializer)
    sess.run(tf.global_variables_initializer())
    sess.run(go)
    sess.run(go)
