# {"stages": 4, "accumulation": 24}
import math
import numpy as np
import tensorflow.compat.v1 as tf
from tensorflow.python import ipu
from tensorflow.python.ipu import pipelining_ops
tf.disable_v2_behavior()

B, S, D, H, VOC = 4, 8, 24, 3, 60


def norm(x, name):
    with tf.variable_scope(name):
        return ipu.normalization_ops.layer_norm(x, epsilon=1e-5)


def attention(x, name):
    with tf.variable_scope(name):
        q = tf.layers.dense(x, D, name="q")
        k = tf.layers.dense(x, D, name="k")
        v = tf.layers.dense(x, D, name="v")
        split = lambda t: tf.transpose(tf.reshape(t, [B, S, H, D // H]), [0, 2, 1, 3])
        a = tf.matmul(split(q), split(k), transpose_b=True)
        a = tf.nn.softmax(a * (1.0 / math.sqrt(D // H)))
        y = tf.reshape(tf.transpose(tf.matmul(a, split(v)), [0, 2, 1, 3]), [B, S, D])
        return tf.layers.dense(y, D, use_bias=False, name="o")


def ffn(x, name):
    with tf.variable_scope(name):
        h = ipu.nn_ops.gelu(tf.layers.dense(x, 4 * D, name="up"))
        return tf.layers.dense(h, D, name="down")


def stage_embed(tokens, targets):
    table = tf.get_variable("table", [VOC, D], initializer=tf.random_normal_initializer(stddev=0.02))
    pos = tf.get_variable("pos", [S, D])
    return ipu.embedding_ops.embedding_lookup(table, tokens) + pos, targets


def make_block(i):
    def block(x, targets):
        x = norm(x + attention(x, "att%d" % i), "ln_a%d" % i)
        x = norm(x + ffn(x, "ffn%d" % i), "ln_b%d" % i)
        return x, targets
    return block


def stage_loss(x, targets):
    logits = tf.layers.dense(x, VOC, name="lm_head")
    ce = tf.nn.sparse_softmax_cross_entropy_with_logits(labels=targets, logits=logits)
    return tf.reduce_mean(ce)


stages = [stage_embed] + [make_block(i) for i in range(2)] + [stage_loss]
toks = np.random.randint(0, VOC, [400, S + 1]).astype(np.int32)
ds = tf.data.Dataset.from_tensor_slices((toks[:, :-1], toks[:, 1:])).repeat().batch(B, drop_remainder=True)
iq = ipu.ipu_infeed_queue.IPUInfeedQueue(ds)
oq = ipu.ipu_outfeed_queue.IPUOutfeedQueue()


def opt(loss):
    return pipelining_ops.OptimizerFunctionOutput(tf.train.AdamOptimizer(1e-3), loss)


def lm():
    with tf.variable_scope("lm", use_resource=True):
        return pipelining_ops.pipeline(
            computational_stages=stages, gradient_accumulation_count=24, repeat_count=2,
            infeed_queue=iq, outfeed_queue=oq, optimizer_function=opt,
            device_mapping=[0, 1, 2, 0], name="lm")


with tf.device("/device:IPU:0"):
    step = ipu.ipu_compiler.compile(lm, inputs=[])
cfg = ipu.config.IPUConfig()
cfg.auto_select_ipus = 4
cfg.configure_ipu_system()
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    sess.run(iq.initializer)
    sess.run(step)
    print(sess.run(oq.dequeue()))
