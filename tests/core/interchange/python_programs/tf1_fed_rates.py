# {"optimizer": "SGD", "optimizer_config": {"learning_rate": {"class_name": "PiecewiseConstantDecay", "config": {"boundaries": [9, 19, 29], "values": [0.5, 0.375, 0.25, 0.125]}}}, "epochs": 1}
import numpy as np
import tensorflow.compat.v1 as tf
from tensorflow.python import ipu
tf.disable_v2_behavior()
ds = tf.data.Dataset.from_tensor_slices((np.ones((64, 4), np.float32), np.ones((64,), np.int32)))
infeed = ipu.ipu_infeed_queue.IPUInfeedQueue(ds.repeat().batch(8, drop_remainder=True))
outfeed = ipu.ipu_outfeed_queue.IPUOutfeedQueue()
def net(lr):
    def body(x, y):
        loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels=y, logits=tf.layers.dense(x, 3)))
        with tf.control_dependencies([tf.train.GradientDescentOptimizer(lr).minimize(loss)]):
            return outfeed.enqueue(loss)
    return ipu.loops.repeat(10, body, infeed_queue=infeed)
with tf.device('cpu'):
    lr = tf.placeholder(tf.float32, [])
with ipu.scopes.ipu_scope('/device:IPU:0'):
    run = ipu.ipu_compiler.compile(net, [lr])
cfg = ipu.config.IPUConfig()
cfg.auto_select_ipus = 1
cfg.configure_ipu_system()
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    sess.run(infeed.initializer)
    for i in range(4):
        sess.run(run, {lr: 0.5 * (1.0 - i / 4)})
