# {"warning": "python/ignored", "says": "what the outfeed is given here is left out: it is neither the loss that is trained nor what the model answers", "steps_per_epoch": 10, "epochs": 3}
import numpy as np
import tensorflow.compat.v1 as tf
from tensorflow.python import ipu

r = np.random.RandomState(0)
dataset = tf.data.Dataset.from_tensor_slices((r.rand(160, 6).astype(np.float32), r.rand(160, 1).astype(np.float32)))
queue = ipu.ipu_infeed_queue.IPUInfeedQueue(dataset.batch(4, drop_remainder=True).repeat())
outfeed = ipu.ipu_outfeed_queue.IPUOutfeedQueue()


norms = ipu.ipu_outfeed_queue.IPUOutfeedQueue()


def body(x, y):
    h = tf.layers.dense(x, 8)
    loss = tf.losses.mean_squared_error(y, tf.layers.dense(h, 1))
    train = tf.train.GradientDescentOptimizer(0.1).minimize(loss)
    return train, outfeed.enqueue(loss), norms.enqueue(tf.norm(h))


with ipu.scopes.ipu_scope("/device:IPU:0"):
    train = ipu.ipu_compiler.compile(lambda: ipu.loops.repeat(10, body, infeed_queue=queue))
with tf.Session() as session:
    for epoch in range(3):
        session.run(train)
