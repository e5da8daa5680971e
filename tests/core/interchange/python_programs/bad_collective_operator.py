# {"error": "value-error/collective-operator", "says": "COLLECTIVE_OP_MEAN"}
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

def body(x, y):
  with tf.variable_scope("v", use_resource=True):
    h = tf.layers.dense(tf.layers.flatten(x), 32, activation=tf.nn.relu)
    logits = tf.layers.dense(h, 7)
  loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels=y, logits=logits))
  part = ipu.reduce_scatter_op.reduce_scatter(tf.reshape(h, [-1]), replication_factor=2, op="COLLECTIVE_OP_MEAN")
  return tf.train.GradientDescentOptimizer(0.1).minimize(loss), outfeed.enqueue((loss, part))

def net():
  return ipu.loops.repeat(20, body, infeed_queue=infeed)

with ipu.scopes.ipu_scope("/device:IPU:0"):
  r = ipu.ipu_compiler.compile(net, inputs=[])
cfg = ipu.config.IPUConfig()
cfg.auto_select_ipus = 2
cfg.configure_ipu_system()
with tf.Session() as sess:
  sess.run(tf.global_variables_initializer())
  sess.run(infeed.initializer)
  sess.run(r)
