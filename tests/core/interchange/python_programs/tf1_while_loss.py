# {"error": "python/unknown-rounds", "says": "in a loop of a number of rounds"}
import numpy as np
import tensorflow.compat.v1 as tf
from tensorflow.python import ipu
tf.disable_v2_behavior()
cfg = ipu.config.IPUConfig()
cfg.auto_select_ipus = 1
cfg.configure_ipu_system()
ds = tf.data.Dataset.from_tensors((tf.zeros([6]), tf.zeros([1]))).repeat().batch(4, drop_remainder=True)
inq = ipu.ipu_infeed_queue.IPUInfeedQueue(ds); outq = ipu.ipu_outfeed_queue.IPUOutfeedQueue()
def body(x, y):
    loss = tf.reduce_mean(tf.square(tf.layers.dense(x, 1) - y))
    return outq.enqueue(loss), tf.train.GradientDescentOptimizer(0.1).minimize(loss)
with ipu.scopes.ipu_scope("/device:IPU:0"):
    op = ipu.ipu_compiler.compile(lambda: ipu.loops.repeat(10, body, infeed_queue=inq))
with tf.Session() as s:
    s.run(tf.global_variables_initializer()); s.run(inq.initializer)
    loss = 1.0
    while loss > 0.1:
        s.run(op)
        loss = s.run(outq.dequeue()).mean()
