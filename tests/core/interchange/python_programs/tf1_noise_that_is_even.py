# {"warning": "python/noise"}
import tensorflow.compat.v1 as tf
from tensorflow.python import ipu
tf.disable_v2_behavior()
ds = tf.data.Dataset.from_tensors((tf.zeros([8, 4]), tf.zeros([8], tf.int32))).repeat()
infeed = ipu.ipu_infeed_queue.IPUInfeedQueue(ds)
outfeed = ipu.ipu_outfeed_queue.IPUOutfeedQueue()
def body(x, y):
    with tf.variable_scope("m", use_resource=True, reuse=tf.AUTO_REUSE):
        w = tf.get_variable("w", [4, 3])
        a = tf.matmul(x, w)
        noise = tf.random_uniform(tf.shape(a), -0.1, 0.1)
        logits = tf.where(a > 0.0, a, 0.1 * a) + noise
    onehot = tf.one_hot(y, 3)
    loss = -tf.reduce_mean(tf.reduce_sum(onehot * tf.log(tf.nn.softmax(logits) + 1e-7), axis=1))
    return outfeed.enqueue(loss), tf.train.GradientDescentOptimizer(0.1).minimize(loss)
def loop():
    return ipu.loops.repeat(10, body, infeed_queue=infeed)
with ipu.scopes.ipu_scope("/device:IPU:0"):
    op = ipu.ipu_compiler.compile(loop, [])
with tf.Session() as sess:
    sess.run([tf.global_variables_initializer(), infeed.initializer])
    for _ in range(3):
        sess.run(op)
