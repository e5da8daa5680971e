# {"classes": ["InputLayer", "Conv2D", "MaxPooling2D", "Flatten", "Dense", "Dropout", "Dense"], "batch": 16, "steps_per_execution": 20}
import numpy as np
import tensorflow.compat.v1 as tf
from tensorflow.python import ipu

ds = tf.data.Dataset.from_tensor_slices((np.zeros((320, 8, 8, 1), np.float32), np.zeros(320, np.int32)))
infeed = ipu.ipu_infeed_queue.IPUInfeedQueue(ds.repeat().batch(16, drop_remainder=True))
outfeed = ipu.ipu_outfeed_queue.IPUOutfeedQueue()


def body(x, y):
    x = tf.layers.conv2d(x, 4, 3, padding="same", activation=tf.nn.relu)
    x = tf.layers.max_pooling2d(x, 2, 2)
    x = tf.layers.dropout(tf.layers.flatten(x), 0.5)
    x = tf.layers.Dense(32)(x)
    x = tf.layers.dropout(x, rate=0.25, training=True)
    logits = tf.layers.dense(inputs=x, units=10)
    loss = tf.losses.sparse_softmax_cross_entropy(labels=y, logits=logits)
    train = tf.train.AdamOptimizer(0.001).minimize(loss)
    with tf.control_dependencies([train]):
        return outfeed.enqueue(loss)


with ipu.scopes.ipu_scope("/device:IPU:0"):
    run = ipu.ipu_compiler.compile(lambda: ipu.loops.repeat(20, body, [], infeed), [])
