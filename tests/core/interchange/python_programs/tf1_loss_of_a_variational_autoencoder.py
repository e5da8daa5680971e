# {"losses": [["math.subtract", "square", "reduce_mean"]], "warning": "python/noise"}
import tensorflow.compat.v1 as tf
from tensorflow.python import ipu
tf.disable_v2_behavior()
ds = tf.data.Dataset.from_tensors((tf.zeros([8, 4]), tf.zeros([8], tf.int32))).repeat()
infeed = ipu.ipu_infeed_queue.IPUInfeedQueue(ds)
outfeed = ipu.ipu_outfeed_queue.IPUOutfeedQueue()
def body(x, y):
    mean = tf.layers.dense(x, 2); logv = tf.layers.dense(x, 2)
    z = mean + tf.exp(0.5 * logv) * tf.random.normal([8, 2])
    back = tf.layers.dense(z, 4)
    kl = -0.5 * tf.reduce_mean(1.0 + logv - tf.square(mean) - tf.exp(logv))
    loss = tf.reduce_mean(tf.square(x - back)) + kl
    return outfeed.enqueue(loss), tf.train.GradientDescentOptimizer(0.1).minimize(loss)
def loop():
    return ipu.loops.repeat(10, body, infeed_queue=infeed)
with ipu.scopes.ipu_scope("/device:IPU:0"):
    op = ipu.ipu_compiler.compile(loop, [])
with tf.Session() as sess:
    sess.run([tf.global_variables_initializer(), infeed.initializer])
    for _ in range(3):
        sess.run(op)
