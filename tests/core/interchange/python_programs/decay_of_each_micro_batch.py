# {"average_replica_gradients": true, "optimizer_config": {"learning_rate": 1.0, "gradient_decay": 1.0}}
import numpy as np
import tensorflow.compat.v1 as tf
from tensorflow.python import ipu
from tensorflow.python.ipu import pipelining_ops, cross_replica_optimizer, map_gradient_optimizer
tf.disable_v2_behavior()
x = np.ones((960, 1), np.float32)
y = np.ones((960, 1), np.float32)
ds = tf.data.Dataset.from_tensor_slices((x, y)).repeat().batch(2, drop_remainder=True)
infeed = ipu.ipu_infeed_queue.IPUInfeedQueue(ds)
outfeed = ipu.ipu_outfeed_queue.IPUOutfeedQueue()

def s1(x, y):
  return tf.layers.dense(x, 1, use_bias=False, kernel_initializer=tf.ones_initializer(), name="a"), y

def s2(x, y):
  p = tf.layers.dense(x, 1, use_bias=False, kernel_initializer=tf.ones_initializer(), name="b")
  return tf.reduce_mean(tf.stop_gradient(p)) + 0.0 * tf.reduce_mean(p)

def decay(grad, var):
  return grad + 0.25 * var

def opt(loss):
  o = tf.train.GradientDescentOptimizer(1.0)
  o = map_gradient_optimizer.MapGradientOptimizer(o, decay)
  o = cross_replica_optimizer.CrossReplicaOptimizer(o)
  return pipelining_ops.OptimizerFunctionOutput(o, loss)

def net():
  return pipelining_ops.pipeline([s1, s2], gradient_accumulation_count=4, repeat_count=4,
      infeed_queue=infeed, outfeed_queue=outfeed, optimizer_function=opt)

with ipu.scopes.ipu_scope("/device:IPU:0"):
  run = ipu.ipu_compiler.compile(net, inputs=[])
cfg = ipu.config.IPUConfig()
cfg.auto_select_ipus = 4
cfg.configure_ipu_system()
with tf.Session() as sess:
  sess.run(tf.global_variables_initializer())
  sess.run(infeed.initializer)
  sess.run(run)
