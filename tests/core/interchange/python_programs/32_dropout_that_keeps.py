# {"config": [2, "rate", 0.25], "classes": ["InputLayer", "Dense", "Dropout"]}
import numpy as np
import tensorflow.compat.v1 as tf
from tensorflow.python import ipu
infeed = ipu.ipu_infeed_queue.IPUInfeedQueue(
    tf.data.Dataset.from_tensor_slices((np.zeros((64, 8), np.float32), np.zeros((64, 8), np.float32))).repeat().batch(4, drop_remainder=True))
outfeed = ipu.ipu_outfeed_queue.IPUOutfeedQueue()


def body(x, y):
    shown = ipu.internal_ops.print_tensor(x)
    with tf.control_dependencies([shown]):
        hidden = tf.nn.dropout(tf.layers.dense(x, 8), 0.75)
    loss = tf.losses.mean_squared_error(y, hidden)
    return outfeed.enqueue(loss), tf.train.GradientDescentOptimizer(0.1).minimize(loss)


with ipu.scopes.ipu_scope("/device:IPU:0"):
    run = ipu.ipu_compiler.compile(lambda: ipu.loops.repeat(10, body, [], infeed), [])
