# {"error": "python/unsupported", "says": "this loss is computed over the replicas, and a project has the loss of each"}
import numpy as np
import tensorflow.compat.v1 as tf
from tensorflow.python import ipu

r = np.random.RandomState(0)
dataset = tf.data.Dataset.from_tensor_slices((r.rand(160, 6).astype(np.float32), r.rand(160, 1).astype(np.float32)))
queue = ipu.ipu_infeed_queue.IPUInfeedQueue(dataset.batch(4, drop_remainder=True).repeat())
outfeed = ipu.ipu_outfeed_queue.IPUOutfeedQueue()
cfg = ipu.config.IPUConfig()
cfg.auto_select_ipus = 4
cfg.configure_ipu_system()


def body(x, y):
    loss = tf.losses.mean_squared_error(y, tf.layers.dense(x, 1))
    loss = ipu.cross_replica_ops.cross_replica_sum(loss) / 4
    return tf.train.GradientDescentOptimizer(0.1).minimize(loss), outfeed.enqueue(loss)


with ipu.scopes.ipu_scope("/device:IPU:0"):
    train = ipu.ipu_compiler.compile(lambda: ipu.loops.repeat(10, body, infeed_queue=queue))
with tf.Session() as session:
    for epoch in range(3):
        session.run(train)
