# {"parameters": 177, "no_warning": "python/shape"}
import numpy as np, tensorflow.compat.v1 as tf
from tensorflow.python import ipu
tf.disable_v2_behavior()
ds = tf.data.Dataset.from_tensor_slices(({"a": np.zeros((64, 16), np.float32), "b": np.zeros((64, 4), np.float32)}, np.zeros((64, 1), np.float32))).repeat().batch(4, drop_remainder=True)
infeed = ipu.ipu_infeed_queue.IPUInfeedQueue(ds); outfeed = ipu.ipu_outfeed_queue.IPUOutfeedQueue()
def body(x, y):
    h = tf.layers.dense(tf.concat([x["a"], x["b"]], -1), 8)
    p = tf.layers.dense(h, 1)
    loss = tf.reduce_mean(tf.square(p - y))
    return tf.train.GradientDescentOptimizer(0.1).minimize(loss), outfeed.enqueue(loss)
with ipu.scopes.ipu_scope("/device:IPU:0"):
    op = ipu.ipu_compiler.compile(lambda: ipu.loops.repeat(16, body, infeed_queue=infeed))
with tf.Session() as sess:
    sess.run(op)
