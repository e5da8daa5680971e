# {"no_warning": "layer/shape"}
import numpy as np, tensorflow.compat.v1 as tf
from tensorflow.python import ipu
ds = tf.data.Dataset.from_tensor_slices((np.zeros((64, 12, 16), np.float32), np.zeros((64, 12), np.int32))).repeat().batch(4, drop_remainder=True)
infeed = ipu.ipu_infeed_queue.IPUInfeedQueue(ds); outfeed = ipu.ipu_outfeed_queue.IPUOutfeedQueue()
def body(x, y):
    w = tf.get_variable("w", [9, 16], use_resource=True)
    logits = tf.linalg.matvec(tf.tile(w[None, None], [4, 12, 1, 1]), x)
    loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels=y, logits=logits))
    return tf.train.GradientDescentOptimizer(0.1).minimize(loss), outfeed.enqueue(loss)
with ipu.scopes.ipu_scope("/device:IPU:0"):
    op = ipu.ipu_compiler.compile(lambda: ipu.loops.repeat(16, body, infeed_queue=infeed))
with tf.Session() as sess:
    sess.run(op)
