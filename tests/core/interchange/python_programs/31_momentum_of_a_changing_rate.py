# {"optimizer": "SGD", "no_warning": "python/approximated"}
import tensorflow.compat.v1 as tf
from tensorflow.python import ipu
data = tf.data.Dataset.from_tensor_slices((tf.zeros([64, 4]), tf.zeros([64], tf.int32))).batch(8, drop_remainder=True).repeat()
infeed = ipu.ipu_infeed_queue.IPUInfeedQueue(data)
rate = tf.train.exponential_decay(0.1, tf.train.get_or_create_global_step(), 4, 0.5)
def step(x, y):
    loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels=y, logits=tf.layers.dense(x, 3)))
    return tf.train.MomentumOptimizer(rate, 0.9).minimize(loss)
def net():
    return ipu.loops.repeat(8, step, infeed_queue=infeed)
with ipu.scopes.ipu_scope("/device:IPU:0"):
    out = ipu.ipu_compiler.compile(net, inputs=[])
