# {"loss": "SparseCategoricalCrossentropy", "says": "program.py:18:16: warning: what the outfeed is given beside the loss is left out: \"accuracy\""}
import tensorflow.compat.v1 as tf
from tensorflow.python import ipu

tf.disable_v2_behavior()

samples = tf.data.Dataset.from_tensor_slices((tf.zeros((512, 16)), tf.zeros((512,), tf.int32)))
infeed = ipu.ipu_infeed_queue.IPUInfeedQueue(samples.batch(16, drop_remainder=True).repeat())
outfeed = ipu.ipu_outfeed_queue.IPUOutfeedQueue()


def body(images, labels):
    logits = tf.layers.dense(images, 4)
    loss = tf.losses.sparse_softmax_cross_entropy(labels, logits)
    accuracy = tf.reduce_mean(tf.cast(tf.equal(tf.argmax(logits, 1, output_type=tf.int32), labels), tf.float32))
    train = tf.train.GradientDescentOptimizer(0.1).minimize(loss)
    with tf.control_dependencies([train]):
        return outfeed.enqueue({"loss": loss, "accuracy": accuracy})


def net():
    return ipu.loops.repeat(32, body, [], infeed)


with ipu.scopes.ipu_scope("/device:IPU:0"):
    run = ipu.ipu_compiler.compile(net, [])
