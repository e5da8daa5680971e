# {"classes": ["InputLayer", "Dense", "Dense"], "loss": "SparseCategoricalCrossentropy", "steps_per_execution": 32}
import tensorflow.compat.v1 as tf
from tensorflow.python import ipu
from tensorflow.python.ipu import ipu_infeed_queue, ipu_outfeed_queue, pipelining_ops, ipu_compiler, scopes
tf.disable_v2_behavior()
import numpy as np
x = np.random.rand(640, 13).astype(np.float32)
y = np.random.rand(640).astype(np.float32)
ds = tf.data.Dataset.from_tensor_slices((x, y)).batch(16, drop_remainder=True).repeat()
infeed = ipu_infeed_queue.IPUInfeedQueue(ds)
outfeed = ipu_outfeed_queue.IPUOutfeedQueue()

def stage1(x, y):
    with tf.variable_scope("s1", use_resource=True):
        h = tf.layers.dense(x, 64, activation=tf.nn.relu)
    return h, y

def stage2(h, y):
    with tf.variable_scope("s2", use_resource=True):
        p = tf.layers.dense(h, 10)
    loss = tf.reduce_mean(tf.nn.softmax_cross_entropy_with_logits(labels=tf.one_hot(tf.cast(y, tf.int32), 10), logits=p))
    return loss

def opt_fn(loss):
    return pipelining_ops.OptimizerFunctionOutput(tf.train.GradientDescentOptimizer(0.01), loss)

def net():
    return pipelining_ops.pipeline([stage1, stage2], gradient_accumulation_count=8, infeed_queue=infeed,
        outfeed_queue=outfeed, optimizer_function=opt_fn, repeat_count=4, name="p",
        pipeline_schedule=pipelining_ops.PipelineSchedule.Grouped)

with scopes.ipu_scope("/device:IPU:0"):
    op = ipu_compiler.compile(net, inputs=[])
cfg = ipu.config.IPUConfig()
cfg.auto_select_ipus = 2
cfg.configure_ipu_system()
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    sess.run(infeed.initializer)
    sess.run(op)
