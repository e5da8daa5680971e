# {"average_replica_gradients": true, "replicas": 2, "effective_batch": 16}
import numpy as np
import tensorflow.compat.v1 as tf
from tensorflow.python import ipu
tf.disable_v2_behavior()
ds = tf.data.Dataset.from_tensor_slices((np.ones((64, 4), np.float32), np.ones((64, 1), np.float32)))
infeed = ipu.ipu_infeed_queue.IPUInfeedQueue(ds.batch(8, drop_remainder=True).repeat())
outfeed = ipu.ipu_outfeed_queue.IPUOutfeedQueue()
def body(x, y):
    p = tf.layers.dense(x, 1, kernel_initializer=tf.zeros_initializer())
    loss = tf.reduce_mean(tf.square(p - y))
    opt = ipu.optimizers.CrossReplicaOptimizer(tf.train.GradientDescentOptimizer(0.01))
    with tf.control_dependencies([opt.minimize(loss)]):
        return outfeed.enqueue(loss)
def net():
    return ipu.loops.repeat(4, body, [], infeed)
with ipu.scopes.ipu_scope('/device:IPU:0'):
    run = ipu.ipu_compiler.compile(net, inputs=[])
cfg = ipu.config.IPUConfig()
cfg.auto_select_ipus = 2
cfg.configure_ipu_system()
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    sess.run(infeed.initializer)
    sess.run(run)
