# {"error": "type-error/schedule", "line": 17}
import tensorflow.compat.v1 as tf
from tensorflow.python import ipu
from tensorflow.python.ipu.ops import pipelining_ops
tf.disable_v2_behavior()
ds = tf.data.Dataset.from_tensors((tf.zeros([8]), tf.zeros([1]))).repeat().batch(4, drop_remainder=True)
infeed = ipu.ipu_infeed_queue.IPUInfeedQueue(ds)
outfeed = ipu.ipu_outfeed_queue.IPUOutfeedQueue()
def s0(x, y):
    return tf.layers.dense(x, 8, name="a"), y
def s1(x, y):
    return tf.losses.mean_squared_error(y, tf.layers.dense(x, 1, name="b"))
def opt(loss):
    return pipelining_ops.OptimizerFunctionOutput(tf.train.MomentumOptimizer(0.1, 0.9), loss)
PS = pipelining_ops.PipelineSchedule
def net():
    return pipelining_ops.pipeline([s0, s1], gradient_accumulation_count=4, pipeline_schedule='Interleaved', infeed_queue=infeed, outfeed_queue=outfeed, optimizer_function=opt)
with ipu.scopes.ipu_scope("/device:IPU:0"):
    run = ipu.ipu_compiler.compile(net)
cfg = ipu.config.IPUConfig()
cfg.auto_select_ipus = 2
cfg.configure_ipu_system()
with tf.Session() as sess:
    sess.run(infeed.initializer)
    sess.run(tf.global_variables_initializer())
    sess.run(run)
