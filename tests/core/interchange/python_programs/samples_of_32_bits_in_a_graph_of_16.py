# {"precision": "float16", "config": [0, "dtype", "float32"]}
import numpy as np
import tensorflow.compat.v1 as tf
from tensorflow.python import ipu
tf.disable_v2_behavior()
ds = tf.data.Dataset.from_tensor_slices((np.zeros((64, 16), np.float32), np.zeros((64,), np.int32))).repeat().batch(8, drop_remainder=True)
infeed = ipu.ipu_infeed_queue.IPUInfeedQueue(ds)
outfeed = ipu.ipu_outfeed_queue.IPUOutfeedQueue()

def step(x, y):
    x = tf.cast(x, tf.float16)
    w = tf.get_variable("w", [16, 10], tf.float16)
    logits = tf.matmul(x, w)
    loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels=y, logits=logits))
    return outfeed.enqueue(loss), tf.train.GradientDescentOptimizer(0.1).minimize(loss)

def net():
    with tf.variable_scope("v", use_resource=True):
        return ipu.loops.repeat(10, step, [], infeed)
with ipu.scopes.ipu_scope("/device:IPU:0"):
    run = ipu.ipu_compiler.compile(net, [])
cfg = ipu.config.IPUConfig(); cfg.auto_select_ipus = 1; cfg.configure_ipu_system()
with tf.Session() as s:
    s.run(tf.global_variables_initializer()); s.run(infeed.initializer)
    for _ in range(3):
        s.run(run)
