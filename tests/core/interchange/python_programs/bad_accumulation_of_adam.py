# {"error": "value-error/gradient-accumulation", "line": 13}
import numpy as np
import tensorflow.compat.v1 as tf
from tensorflow.python import ipu
x = np.zeros((64, 8), np.float32)
infeed = ipu.ipu_infeed_queue.IPUInfeedQueue(tf.data.Dataset.from_tensor_slices((x, x)).repeat().batch(4, drop_remainder=True))
outfeed = ipu.ipu_outfeed_queue.IPUOutfeedQueue()


def body(x, y):
    logits = tf.layers.dense(x, 8)
    loss = tf.losses.mean_squared_error(y, logits)
    optimizer = ipu.optimizers.GradientAccumulationOptimizer(tf.train.AdamOptimizer(0.001), 8)
    return outfeed.enqueue(loss), optimizer.minimize(loss)


with ipu.scopes.ipu_scope("/device:IPU:0"):
    run = ipu.ipu_compiler.compile(lambda: ipu.loops.repeat(10, body, [], infeed), [])
