# {"parameters": 314, "config": [2, "dtype", "float16"], "casts": ["float16", "float32"], "no_warning": "python/precision"}
import numpy as np
import tensorflow.compat.v1 as tf
from tensorflow.python import ipu
tf.disable_v2_behavior()
ds = tf.data.Dataset.from_tensor_slices((np.zeros((64, 8), np.float32), np.zeros((64,), np.int32)))
infeed = ipu.ipu_infeed_queue.IPUInfeedQueue(ds.repeat().batch(8, drop_remainder=True))
outfeed = ipu.ipu_outfeed_queue.IPUOutfeedQueue()
def body(x, y):
    h = tf.cast(x, tf.float16)
    w = tf.get_variable("w", [8, 16], h.dtype)
    h = tf.nn.relu(tf.matmul(h, w) + tf.get_variable("b", [16], h.dtype, tf.zeros_initializer()))
    logits = tf.layers.dense(tf.cast(h, tf.float32), 10, kernel_regularizer=lambda v: 0.1 * tf.nn.l2_loss(v))
    loss = tf.losses.sparse_softmax_cross_entropy(y, logits)
    loss = tf.add_n([loss] + tf.losses.get_regularization_losses())
    step = tf.train.GradientDescentOptimizer(0.1).minimize(loss)
    with tf.control_dependencies([step]):
        return outfeed.enqueue(loss)
with ipu.scopes.ipu_scope("/device:IPU:0"):
    run = ipu.ipu_compiler.compile(lambda: ipu.loops.repeat(10, body, infeed_queue=infeed), [])
cfg = ipu.config.IPUConfig()
cfg.auto_select_ipus = 1
cfg.configure_ipu_system()
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    sess.run(infeed.initializer)
    sess.run(run)
