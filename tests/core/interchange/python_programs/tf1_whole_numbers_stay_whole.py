# {"precision": "float16", "config": [0, "dtype", "int32"]}
import numpy as np
import tensorflow.compat.v1 as tf
from tensorflow.python import ipu
tf.disable_v2_behavior()
ids = np.random.randint(3000, size=640).astype(np.int32)
lab = np.random.randint(3, size=640).astype(np.int32)
ds = tf.data.Dataset.from_tensor_slices((ids, lab)).batch(64, drop_remainder=True).repeat()
infeed = ipu.ipu_infeed_queue.IPUInfeedQueue(ds)
outfeed = ipu.ipu_outfeed_queue.IPUOutfeedQueue()
def body(x, y):
    table = tf.get_variable("table", (3000, 16), dtype=tf.float16)
    logits = tf.layers.dense(ipu.embedding_ops.embedding_lookup(table, x), 3)
    loss = tf.losses.sparse_softmax_cross_entropy(labels=y, logits=logits)
    return outfeed.enqueue(loss), tf.train.GradientDescentOptimizer(0.1).minimize(loss)
with ipu.scopes.ipu_scope("/device:IPU:0"):
    op = ipu.ipu_compiler.compile(lambda: ipu.loops.repeat(10, body, infeed_queue=infeed), [])
with tf.Session() as sess:
    sess.run([tf.global_variables_initializer(), infeed.initializer])
    sess.run(op)
