# {"no_warning": "python/ignored", "parameters": 17000}
import numpy as np, tensorflow.compat.v1 as tf
from tensorflow.python import ipu
V, D, B = 1000, 16, 4
ds = tf.data.Dataset.from_tensor_slices((np.zeros((64, 5), np.int32), np.zeros((64, 1), np.int64))).batch(B, drop_remainder=True).repeat()
infeed = ipu.ipu_infeed_queue.IPUInfeedQueue(ds); outfeed = ipu.ipu_outfeed_queue.IPUOutfeedQueue()
def body(tokens, labels):
    table = tf.get_variable("table", (V, D), use_resource=True)
    bias = tf.get_variable("bias", (V,), initializer=tf.ones_initializer())
    x = tf.reduce_mean(tf.one_hot(tokens, D), axis=1)
    loss = tf.reduce_mean(ipu.nn_ops.sampled_softmax_loss(table, bias, labels, x, 32, V))
    return tf.train.GradientDescentOptimizer(0.1).minimize(loss), outfeed.enqueue(loss)
with ipu.scopes.ipu_scope("/device:IPU:0"):
    op = ipu.ipu_compiler.compile(lambda: ipu.loops.repeat(16, body, infeed_queue=infeed))
with tf.Session() as sess:
    sess.run(op)
