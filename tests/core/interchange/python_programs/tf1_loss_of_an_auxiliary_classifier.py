# {"losses": ["SparseCategoricalCrossentropy", ["LossValue", "reduce_mean", "__operators__.rmul"]], "layer_count": 4}
import tensorflow.compat.v1 as tf
from tensorflow.python import ipu
tf.disable_v2_behavior()
ds = tf.data.Dataset.from_tensors((tf.zeros([8, 4]), tf.zeros([8], tf.int32))).repeat()
infeed = ipu.ipu_infeed_queue.IPUInfeedQueue(ds)
outfeed = ipu.ipu_outfeed_queue.IPUOutfeedQueue()
def body(x, y):
    h = tf.layers.dense(x, 6)
    logits = tf.layers.dense(h, 3)
    aux = tf.layers.dense(h, 3)
    loss = tf.losses.sparse_softmax_cross_entropy(y, logits) + 0.3 * tf.losses.sparse_softmax_cross_entropy(y, aux)
    return outfeed.enqueue(loss), tf.train.GradientDescentOptimizer(0.1).minimize(loss)
def loop():
    return ipu.loops.repeat(10, body, infeed_queue=infeed)
with ipu.scopes.ipu_scope("/device:IPU:0"):
    op = ipu.ipu_compiler.compile(loop, [])
with tf.Session() as sess:
    sess.run([tf.global_variables_initializer(), infeed.initializer])
    for _ in range(3):
        sess.run(op)
