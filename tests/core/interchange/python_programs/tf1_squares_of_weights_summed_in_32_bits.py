# {"precision": "float16", "config": [1, "kernel_regularizer", {"class_name": "L2", "config": {"l2": 5e-05}}], "stages": 3}
"""TF1 pipeline: MLP with weight decay, aux loss on stage 0 output, fp16, momentum, schedule."""
import numpy as np
import tensorflow.compat.v1 as tf
from tensorflow.python import ipu
from tensorflow.python.ipu import pipelining_ops
tf.disable_v2_behavior()
B, ACC = 4, 12
x = np.random.rand(480, 32).astype(np.float16)
y = np.random.randint(0, 5, 480).astype(np.int32)
ds = tf.data.Dataset.from_tensor_slices((x, y)).shuffle(480).repeat().batch(B, drop_remainder=True)
infeed = ipu.ipu_infeed_queue.IPUInfeedQueue(ds)
outfeed = ipu.ipu_outfeed_queue.IPUOutfeedQueue()
def block(x, n, name):
    with tf.variable_scope(name):
        w = tf.get_variable("w", [int(x.shape[-1]), n], dtype=x.dtype, initializer=tf.glorot_uniform_initializer())
        b = tf.get_variable("b", [n], dtype=x.dtype, initializer=tf.zeros_initializer())
        return tf.nn.relu(tf.matmul(x, w) + b)
def s0(x, y):
    return block(x, 64, "a"), y
def s1(h, y):
    h2 = block(h, 32, "b")
    return tf.concat([h2, h2 * 0.5], -1), y
def s2(h, y):
    logits = tf.cast(tf.layers.dense(h, 5, name="out"), tf.float32)
    loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels=y, logits=logits))
    l2 = 1e-4 * tf.add_n([tf.nn.l2_loss(tf.cast(v, tf.float32)) for v in tf.trainable_variables() if "w" in v.name])
    return loss + l2
def opt(loss):
    return pipelining_ops.OptimizerFunctionOutput(tf.train.MomentumOptimizer(0.05, 0.9), loss)
def net():
    return pipelining_ops.pipeline([s0, s1, s2], gradient_accumulation_count=ACC, repeat_count=5, inputs=[], infeed_queue=infeed, outfeed_queue=outfeed,
        optimizer_function=opt, device_mapping=[0, 1, 0], pipeline_schedule=pipelining_ops.PipelineSchedule.Sequential)
with ipu.scopes.ipu_scope("/device:IPU:0"):
    run = ipu.ipu_compiler.compile(net, [])
cfg = ipu.config.IPUConfig(); cfg.auto_select_ipus = 2; cfg.configure_ipu_system()
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer()); sess.run(infeed.initializer)
    for _ in range(8):
        sess.run(run)
