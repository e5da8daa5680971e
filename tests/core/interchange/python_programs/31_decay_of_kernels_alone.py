# {"optimizer": "SGD", "config": [1, "kernel_regularizer", {"class_name": "L2", "config": {"l2": 0.005}}]}
import numpy as np
import tensorflow.compat.v1 as tf
from tensorflow.python import ipu

x = np.random.rand(64, 8).astype(np.float32)
y = np.random.randint(0, 3, 64).astype(np.int32)
infeed = ipu.ipu_infeed_queue.IPUInfeedQueue(
    tf.data.Dataset.from_tensor_slices((x, y)).repeat().batch(4, drop_remainder=True))
outfeed = ipu.ipu_outfeed_queue.IPUOutfeedQueue()


def decay(gradient, variable):
    if any(part in variable.name for part in ("bias", "LayerNorm")) or len(variable.shape) < 2:
        return gradient
    return gradient + 0.01 * variable


def body(x, y):
    logits = tf.layers.dense(x, 3)
    loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels=y, logits=logits))
    optimizer = ipu.optimizers.MapGradientOptimizer(tf.train.GradientDescentOptimizer(0.1), decay)
    return outfeed.enqueue(loss), optimizer.minimize(loss)


def loop():
    return ipu.loops.repeat(10, body, [], infeed)


with ipu.scopes.ipu_scope("/device:IPU:0"):
    run = ipu.ipu_compiler.compile(loop, [])
