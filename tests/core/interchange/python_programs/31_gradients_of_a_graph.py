# {"optimizer": "Adam", "optimizer_config": {"learning_rate": 0.001, "epsilon": 1e-8, "global_clipnorm": 5.0}, "config": [1, "kernel_regularizer", {"class_name": "L2", "config": {"l2": 0.00005}}]}
import numpy as np
import tensorflow.compat.v1 as tf
from tensorflow.python import ipu

x = np.random.rand(64, 8).astype(np.float32)
infeed = ipu.ipu_infeed_queue.IPUInfeedQueue(
    tf.data.Dataset.from_tensor_slices((x, x)).repeat().batch(4, drop_remainder=True))
outfeed = ipu.ipu_outfeed_queue.IPUOutfeedQueue()


def body(x, y):
    shape = x.shape.as_list()[-1:] + [8]
    w = tf.get_variable("w", shape)
    b = tf.get_variable("b", [8], initializer=tf.zeros_initializer())
    loss = tf.losses.mean_squared_error(y, tf.matmul(x, w) + b) + 1e-4 * tf.nn.l2_loss(w)
    variables = tf.trainable_variables()
    gradients, _ = tf.clip_by_global_norm(tf.gradients(loss, variables), 5.0)
    train = tf.train.AdamOptimizer(0.001).apply_gradients(zip(gradients, variables))
    with tf.control_dependencies([train]):
        return outfeed.enqueue(loss)


def loop():
    return ipu.loops.repeat(10, body, [], infeed)


with ipu.scopes.ipu_scope("/device:IPU:0"):
    run = ipu.ipu_compiler.compile(loop, [])
