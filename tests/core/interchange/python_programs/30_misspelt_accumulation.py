# {"error": "python/value", "line": 20, "says": "write num_mini_batches="}
import numpy as np
import tensorflow.compat.v1 as tf
from tensorflow.python import ipu
from tensorflow.python.ipu import loops, ipu_compiler, ipu_infeed_queue, ipu_outfeed_queue
from tensorflow.python.ipu.scopes import ipu_scope

tf.disable_v2_behavior()

dataset = tf.data.Dataset.from_tensor_slices((np.random.rand(64, 16).astype(np.float32), np.random.randint(0, 4, 64).astype(np.int32)))
dataset = dataset.batch(8, drop_remainder=True).repeat()
infeed = ipu_infeed_queue.IPUInfeedQueue(dataset)
outfeed = ipu_outfeed_queue.IPUOutfeedQueue()

def body(features, labels):
  with tf.variable_scope("vs", use_resource=True):
    h = tf.layers.dense(features, 32, activation=tf.nn.relu)
    logits = tf.layers.dense(h, 4)
  loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels=labels, logits=logits))
  opt = ipu.optimizers.GradientAccumulationOptimizer(tf.train.GradientDescentOptimizer(0.01), num_mini_batch=8)
  train = opt.minimize(loss)
  with tf.control_dependencies([train]):
    return outfeed.enqueue(loss)

def my_net():
  return loops.repeat(16, body, [], infeed)

with ipu_scope("/device:IPU:0"):
  compiled = ipu_compiler.compile(my_net, inputs=[])
dequeue = outfeed.dequeue()
cfg = ipu.config.IPUConfig()
cfg.auto_select_ipus = 1
cfg.configure_ipu_system()
with tf.Session() as sess:
  sess.run(infeed.initializer)
  sess.run(tf.global_variables_initializer())
  sess.run(compiled)
  print(sess.run(dequeue))
