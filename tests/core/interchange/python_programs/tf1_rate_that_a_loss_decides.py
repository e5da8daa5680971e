# {"error": "python/fed", "says": "fed later is known only when the program runs"}
import numpy as np
import tensorflow.compat.v1 as tf
from tensorflow.python import ipu
tf.disable_v2_behavior()
ds = tf.data.Dataset.from_tensor_slices((np.zeros((64, 16), np.float32), np.zeros((64,), np.int32))).repeat().batch(8, drop_remainder=True)
infeed = ipu.ipu_infeed_queue.IPUInfeedQueue(ds)
outfeed = ipu.ipu_outfeed_queue.IPUOutfeedQueue()

def step(lr, x, y):
    logits = tf.layers.dense(x, 10)
    loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels=y, logits=logits))
    return lr, outfeed.enqueue(loss), tf.train.GradientDescentOptimizer(lr).minimize(loss)

def net(lr):
    with tf.variable_scope("v", use_resource=True):
        return ipu.loops.repeat(10, step, [lr], infeed)
with tf.device("cpu"):
    p = tf.placeholder(tf.float32, [])
with ipu.scopes.ipu_scope("/device:IPU:0"):
    run = ipu.ipu_compiler.compile(net, [p])
cfg = ipu.config.IPUConfig(); cfg.auto_select_ipus = 1; cfg.configure_ipu_system()
dq = outfeed.dequeue()
from tqdm import tqdm
with tf.Session() as s:
    s.run(tf.global_variables_initializer()); s.run(infeed.initializer)
    last = 1e9
    lr = 0.1
    for e in range(5):
        s.run(run, {p: lr})
        l = s.run(dq)
        if np.mean(l) > last:
            lr /= 2
        last = np.mean(l)
