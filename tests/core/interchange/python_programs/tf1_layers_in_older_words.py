# {"trainable": 1290, "parameters": 1450, "steps_per_execution": 10}
import numpy as np
import tensorflow.compat.v1 as tf
from tensorflow.python import ipu

tf.disable_v2_behavior()
ds = tf.data.Dataset.from_tensor_slices((np.zeros((64, 16), np.float32), np.zeros((64,), np.int32)))
infeed = ipu.ipu_infeed_queue.IPUInfeedQueue(ds.repeat().batch(8, drop_remainder=True))
outfeed = ipu.ipu_outfeed_queue.IPUOutfeedQueue()


def step(x, y):
    fixed = tf.get_variable("fixed", [16, 10], trainable=False)
    plain = tf.layers.dense(tf.matmul(x, fixed), 10)
    image = tf.reshape(x, [-1, 4, 4, 1])
    image = tf.layers.conv2d(image, 8, 3, 2, "same", "channels_last", (1, 1), tf.nn.relu, False)
    kernel = tf.get_variable("kernel", [3, 3, 4, 8])
    image = tf.nn.conv2d_transpose(image, kernel, [8, 4, 4, 4], [1, 2, 2, 1])
    wide = tf.layers.dense(tf.layers.flatten(image), 10)
    narrow = tf.layers.dense(x, 10)
    logits = tf.add_n([plain, wide, narrow]) + x[:, :10] % 0.5 + x[:, :10] // 2.0
    loss = tf.losses.sparse_softmax_cross_entropy(labels=y, logits=logits)
    return outfeed.enqueue(loss), tf.train.GradientDescentOptimizer(0.1).minimize(loss)


def net():
    with tf.variable_scope("v", use_resource=True):
        return ipu.loops.repeat(10, step, [], infeed)


with ipu.scopes.ipu_scope("/device:IPU:0"):
    run = ipu.ipu_compiler.compile(net, [])
cfg = ipu.config.IPUConfig()
cfg.auto_select_ipus = 1
cfg.configure_ipu_system()
with tf.Session() as s:
    s.run(tf.global_variables_initializer())
    s.run(infeed.initializer)
    s.run(run)
