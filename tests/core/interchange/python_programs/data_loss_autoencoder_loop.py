# {"classes": ["InputLayer", "Dense", "Dense"], "loss": "LossFunction", "optimizer": "Adam", "steps_per_execution": 20, "steps_per_epoch": 100, "losses": [["math.subtract", "square", "reduce_sum", "reduce_mean"]]}
import tensorflow.compat.v1 as tf
from tensorflow.python import ipu
tf.disable_v2_behavior()
import numpy as np
x = np.random.rand(640, 64).astype(np.float32)
ds = tf.data.Dataset.from_tensor_slices((x,)).batch(16, drop_remainder=True).repeat()
infeed = ipu.ipu_infeed_queue.IPUInfeedQueue(ds)
outfeed = ipu.ipu_outfeed_queue.IPUOutfeedQueue()
def body(x):
    h = tf.layers.dense(x, 16, activation=tf.nn.relu)
    r = tf.layers.dense(h, 64)
    loss = tf.reduce_mean(tf.reduce_sum(tf.square(r - x), axis=1))
    train = tf.train.AdamOptimizer(0.001).minimize(loss)
    out = outfeed.enqueue(loss)
    with tf.control_dependencies([train]):
        return out
def net():
    return ipu.loops.repeat(20, body, [], infeed)
with ipu.scopes.ipu_scope("/device:IPU:0"):
    op = ipu.ipu_compiler.compile(net)
cfg = ipu.config.IPUConfig(); cfg.auto_select_ipus = 1; cfg.configure_ipu_system()
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    sess.run(infeed.initializer)
    for _ in range(5):
        sess.run(op)
