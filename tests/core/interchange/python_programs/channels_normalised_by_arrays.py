# {"config": [1, "channel_offsets", [0.485, 0.456, 0.406]], "classes": ["InputLayer", "NormaliseImage", "Flatten", "Dense"]}
import numpy as np, tensorflow.compat.v1 as tf
from tensorflow.python import ipu
OFF = np.array([0.485, 0.456, 0.406], np.float32)
SC = np.array([1 / 0.229, 1 / 0.224, 1 / 0.225], np.float32)
ds = tf.data.Dataset.from_tensor_slices((np.zeros((64, 8, 8, 3), np.float32), np.zeros((64,), np.int32))).batch(4, drop_remainder=True).repeat()
infeed = ipu.ipu_infeed_queue.IPUInfeedQueue(ds); outfeed = ipu.ipu_outfeed_queue.IPUOutfeedQueue()
def body(x, y):
    x = ipu.image_ops.normalise_image(x, OFF, SC, scale=1 / 255.0)
    logits = tf.layers.dense(tf.layers.flatten(x), 10)
    loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels=y, logits=logits))
    return tf.train.GradientDescentOptimizer(0.1).minimize(loss), outfeed.enqueue(loss)
with ipu.scopes.ipu_scope("/device:IPU:0"):
    op = ipu.ipu_compiler.compile(lambda: ipu.loops.repeat(16, body, infeed_queue=infeed))
with tf.Session() as sess:
    sess.run(op)
