# {"steps_per_epoch": 40, "steps_per_execution": 20, "batch": 16}
import numpy as np
import tensorflow.compat.v1 as tf
from tensorflow.python import ipu
tf.disable_eager_execution()
ds = tf.data.Dataset.from_tensor_slices(np.zeros((640, 8), np.float32)).batch(16, drop_remainder=True).repeat()
infeed = ipu.ipu_infeed_queue.IPUInfeedQueue(ds)
outfeed = ipu.ipu_outfeed_queue.IPUOutfeedQueue()
def body(x):
    return outfeed.enqueue(tf.layers.dense(x, 1))
def net():
    return ipu.loops.repeat(20, body, [], infeed)
with ipu.scopes.ipu_scope("/device:IPU:0"):
    step = ipu.ipu_compiler.compile(net, inputs=[])
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    sess.run(infeed.initializer)
    for i in range(2):
        sess.run(step)
