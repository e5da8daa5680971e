# {"error": "python/unsupported", "says": "side by side"}
import numpy as np
import tensorflow.compat.v1 as tf
from tensorflow import keras
from tensorflow.python import ipu
from tensorflow.python.ipu import pipelining_ops
tf.disable_v2_behavior()
x = np.random.rand(640, 16, 16, 3).astype(np.float32)
y = np.random.randint(0, 7, 640).astype(np.int32)
ds = tf.data.Dataset.from_tensor_slices((x, y)).batch(8, drop_remainder=True).repeat()
infeed = ipu.ipu_infeed_queue.IPUInfeedQueue(ds)
outfeed = ipu.ipu_outfeed_queue.IPUOutfeedQueue()

def s1(x, y):
  x = tf.layers.flatten(x)
  return x, y

def s2a(x, y):
  return tf.layers.dense(x, 16, name="a"), y

def s2b(x, y):
  return tf.layers.dense(x, 16, name="b"), y

def s3(a, y, b, _):
  logits = tf.layers.dense(a + b, 7, name="c")
  return tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels=y, logits=logits))

def opt(loss):
  return pipelining_ops.OptimizerFunctionOutput(tf.train.GradientDescentOptimizer(0.01), loss)

def net():
  return pipelining_ops.pipeline([s1, [s2a, s2b], s3], infeed_queue=infeed, outfeed_queue=outfeed, optimizer_function=opt, gradient_accumulation_count=8, device_mapping=[0, [0, 1], 1])

with ipu.scopes.ipu_scope("/device:IPU:0"):
  r = ipu.ipu_compiler.compile(net, inputs=[])
cfg = ipu.config.IPUConfig()
cfg.auto_select_ipus = 2
cfg.configure_ipu_system()
with tf.Session() as sess:
  sess.run(tf.global_variables_initializer())
  sess.run(infeed.initializer)
  sess.run(r)
