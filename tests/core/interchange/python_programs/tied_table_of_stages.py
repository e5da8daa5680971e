# {"parameters": 1600, "stages": 3, "accumulation": 12, "batch": 4}
import numpy as np
import tensorflow.compat.v1 as tf
from tensorflow.python import ipu
from tensorflow.python.ipu import pipelining_ops

tf.disable_v2_behavior()


def table():
    with tf.variable_scope("shared", reuse=tf.AUTO_REUSE, use_resource=True):
        return tf.get_variable("embedding", [84, 16])


def embed(tokens, targets):
    return ipu.embedding_ops.embedding_lookup(table(), tokens), targets


def inner(x, targets):
    with tf.variable_scope("inner"):
        w = tf.get_variable("w", [16, 16])
    return tf.nn.relu(tf.matmul(tf.reshape(x, [-1, 16]), w)), targets


def head(x, targets):
    logits = tf.matmul(x, table(), transpose_b=True)
    loss = tf.nn.sparse_softmax_cross_entropy_with_logits(labels=tf.reshape(targets, [-1]), logits=logits)
    return tf.reduce_mean(loss)


def optimizer(loss):
    return pipelining_ops.OptimizerFunctionOutput(tf.train.GradientDescentOptimizer(0.1), loss)


tokens = np.zeros((64, 8), np.int32)
data = tf.data.Dataset.from_tensor_slices((tokens, tokens)).batch(4, drop_remainder=True).repeat()
infeed = ipu.ipu_infeed_queue.IPUInfeedQueue(data)
outfeed = ipu.ipu_outfeed_queue.IPUOutfeedQueue()


def model():
    return pipelining_ops.pipeline([embed, inner, head], gradient_accumulation_count=12, infeed_queue=infeed,
                                   outfeed_queue=outfeed, optimizer_function=optimizer, device_mapping=[0, 1, 0])


with ipu.scopes.ipu_scope("/device:IPU:0"):
    step = ipu.ipu_compiler.compile(model)
config = ipu.config.IPUConfig()
config.auto_select_ipus = 2
config.configure_ipu_system()
