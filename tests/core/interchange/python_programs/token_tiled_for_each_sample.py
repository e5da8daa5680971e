# {"no_warning": "layer/shape", "parameters": 112}
import numpy as np
import tensorflow.compat.v1 as tf
from tensorflow.python import ipu
tf.disable_v2_behavior()
x = np.zeros((64, 8), np.float32)
y = np.zeros((64,), np.int32)
ds = tf.data.Dataset.from_tensor_slices((x, y)).batch(8, drop_remainder=True).repeat()
infeed = ipu.ipu_infeed_queue.IPUInfeedQueue(ds)
outfeed = ipu.ipu_outfeed_queue.IPUOutfeedQueue()
def body(a, b):
    seq = tf.reshape(a, [8, 4, 2])
    cls = tf.get_variable("cls", [1, 1, 2])
    h = tf.concat([tf.tile(cls, [8, 1, 1]), seq], axis=1)
    logits = tf.layers.dense(tf.layers.flatten(h), 10)
    loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels=b, logits=logits))
    train = tf.train.GradientDescentOptimizer(0.1).minimize(loss)
    with tf.control_dependencies([train]):
        return outfeed.enqueue(loss)
def loop():
    return ipu.loops.repeat(10, body, infeed_queue=infeed)
with ipu.scopes.ipu_scope("/device:IPU:0"):
    run = ipu.ipu_compiler.compile(loop)
cfg = ipu.config.IPUConfig(); cfg.auto_select_ipus = 1; cfg.configure_ipu_system()
with tf.Session() as s:
    s.run(tf.global_variables_initializer()); s.run(infeed.initializer); s.run(run)
