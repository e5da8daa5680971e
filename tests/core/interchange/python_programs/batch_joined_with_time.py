# {"classes": ["InputLayer", "TFOpLambda", "Dense", "TFOpLambda", "TFOpLambda"], "no_warning": "layer/shape", "parameters": 4160}
import numpy as np
import tensorflow.compat.v1 as tf
from tensorflow.python import ipu

r = np.random.RandomState(0)
dataset = tf.data.Dataset.from_tensor_slices((r.rand(80, 32, 64).astype(np.float32), r.rand(80, 32, 64).astype(np.float32)))
queue = ipu.ipu_infeed_queue.IPUInfeedQueue(dataset.batch(4, drop_remainder=True).repeat())
outfeed = ipu.ipu_outfeed_queue.IPUOutfeedQueue()


def body(x, y):
    h = tf.layers.dense(tf.reshape(x, [-1, 64]), 64)
    h = x + tf.reshape(h, [4, -1, 64])
    loss = tf.losses.mean_squared_error(y, h)
    return tf.train.GradientDescentOptimizer(0.1).minimize(loss)


with ipu.scopes.ipu_scope("/device:IPU:0"):
    train = ipu.ipu_compiler.compile(lambda: ipu.loops.repeat(10, body, infeed_queue=queue))
with tf.Session() as session:
    for epoch in range(3):
        session.run(train)
