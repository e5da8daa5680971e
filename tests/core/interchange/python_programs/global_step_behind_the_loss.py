# {"no_warning": "python/ignored"}
import numpy as np, tensorflow.compat.v1 as tf
from tensorflow.python import ipu
ds = tf.data.Dataset.from_tensor_slices((np.zeros((64, 16), np.float32), np.zeros((64, 1), np.float32))).repeat().batch(4, drop_remainder=True)
infeed = ipu.ipu_infeed_queue.IPUInfeedQueue(ds); outfeed = ipu.ipu_outfeed_queue.IPUOutfeedQueue()
def body(x, y):
    loss = tf.losses.mean_squared_error(y, tf.layers.dense(x, 1))
    step = tf.train.get_or_create_global_step()
    return tf.train.GradientDescentOptimizer(0.1).minimize(loss, step), outfeed.enqueue(loss)
with ipu.scopes.ipu_scope("/device:IPU:0"):
    op = ipu.ipu_compiler.compile(lambda: ipu.loops.repeat(16, body, infeed_queue=infeed))
with tf.Session() as sess:
    sess.run(op)
