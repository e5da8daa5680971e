# {"steps_per_epoch": 120, "parameters": 2762}
import numpy as np
import tensorflow.compat.v1 as tf
from tensorflow.python import ipu
tf.disable_v2_behavior()
ds = tf.data.Dataset.from_tensors(np.zeros((4, 32), np.float32)).repeat()
inq = ipu.ipu_infeed_queue.IPUInfeedQueue(ds)
outq = ipu.ipu_outfeed_queue.IPUOutfeedQueue()
def a(x): return tf.layers.dense(x, 64, tf.nn.relu)
def b(x): return tf.nn.softmax(tf.layers.dense(x, 10))
def net():
    return ipu.pipelining_ops.pipeline([a, b], gradient_accumulation_count=8, repeat_count=5, infeed_queue=inq, outfeed_queue=outq, pipeline_schedule=ipu.pipelining_ops.PipelineSchedule.Interleaved)
with ipu.scopes.ipu_scope("/device:IPU:0"):
    r = ipu.ipu_compiler.compile(net)
cfg = ipu.config.IPUConfig(); cfg.auto_select_ipus = 2; cfg.configure_ipu_system()
with tf.Session() as s:
    s.run(tf.global_variables_initializer()); s.run(inq.initializer)
    for _ in range(3):
        s.run(r)
        print(s.run(outq.dequeue()))
