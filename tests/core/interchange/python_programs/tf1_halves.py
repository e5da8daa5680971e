# {"precision": "float16", "parameters": 12, "batch": 8}
import numpy as np
import tensorflow.compat.v1 as tf
from tensorflow.python import ipu
tf.disable_v2_behavior()
ds = tf.data.Dataset.from_tensor_slices((np.ones((64, 4), np.float16), np.ones((64,), np.int32)))
infeed = ipu.ipu_infeed_queue.IPUInfeedQueue(ds.repeat().batch(8, drop_remainder=True))
outfeed = ipu.ipu_outfeed_queue.IPUOutfeedQueue()
def body(x, y):
    w = tf.get_variable("w", shape=[x.shape[1].value, x.get_shape().as_list()[1] - 1], dtype=tf.float16, use_resource=True)
    loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels=y, logits=tf.matmul(x, w)))
    with tf.control_dependencies([tf.train.GradientDescentOptimizer(0.1).minimize(loss)]):
        return outfeed.enqueue(loss)
with ipu.scopes.ipu_scope('/device:IPU:0'):
    run = ipu.ipu_compiler.compile(lambda: ipu.loops.repeat(10, body, infeed_queue=infeed), [])
cfg = ipu.config.IPUConfig()
cfg.auto_select_ipus = 1
cfg.configure_ipu_system()
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    sess.run(infeed.initializer)
    sess.run(run)
