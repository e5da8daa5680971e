# {"steps_per_execution": 12, "steps_per_epoch": 12, "parameters": 90}
import numpy as np
import tensorflow.compat.v1 as tf
from tensorflow.python import ipu
tf.disable_v2_behavior()
ds = tf.data.Dataset.from_tensor_slices((np.zeros((64, 8), np.float32), np.zeros((64,), np.int32))).batch(8, drop_remainder=True).repeat()
infeed = ipu.ipu_infeed_queue.IPUInfeedQueue(ds)
outfeed = ipu.ipu_outfeed_queue.IPUOutfeedQueue()
def body(i, a, b):
    logits = tf.layers.dense(a, 10)
    loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels=b, logits=logits))
    train = tf.train.GradientDescentOptimizer(0.1).minimize(loss)
    with tf.control_dependencies([train]):
        return i + 1, outfeed.enqueue(loss)
def loop():
    return ipu.loops.while_loop(lambda i: tf.less(i, 12), body, [0], infeed_queue=infeed)
with ipu.scopes.ipu_scope("/device:IPU:0"):
    run = ipu.ipu_compiler.compile(loop)
with tf.Session() as s:
    s.run(tf.global_variables_initializer()); s.run(infeed.initializer); s.run(run)
