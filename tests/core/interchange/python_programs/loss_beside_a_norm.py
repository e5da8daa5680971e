# {"loss": "MeanSquaredError", "says": "what the outfeed is given beside the loss"}
import tensorflow.compat.v1 as tf, numpy as np
from tensorflow.python import ipu
ds = tf.data.Dataset.from_tensor_slices((np.zeros((32, 20), np.float32), np.zeros((32, 1), np.float32)))
infeed = ipu.ipu_infeed_queue.IPUInfeedQueue(ds.batch(8, drop_remainder=True).repeat())
outfeed = ipu.ipu_outfeed_queue.IPUOutfeedQueue()
def body(x, y):
    h = tf.layers.dense(x, 32)
    p = tf.layers.dense(h, 1)
    loss = tf.losses.mean_squared_error(y, p)
    train = tf.train.GradientDescentOptimizer(0.1).minimize(loss)
    s = tf.norm(h) + ipu.cross_replica_ops.cross_replica_sum(loss)
    return train, outfeed.enqueue({"loss": loss, "s": s})
with ipu.scopes.ipu_scope("/device:IPU:0"):
    op = ipu.ipu_compiler.compile(lambda: ipu.loops.repeat(10, body, infeed_queue=infeed))
cfg = ipu.config.IPUConfig(); cfg.auto_select_ipus = 1; cfg.configure_ipu_system()
with tf.Session() as sess:
    sess.run(op)
