# {"config": [1, "embeddings_initializer", {"class_name": "RandomNormal", "config": {"stddev": 0.7}}]}
"""Large item table kept on the host."""
import numpy as np
import tensorflow.compat.v1 as tf
from tensorflow.python import ipu
from tensorflow.python.ipu import embedding_ops, ipu_compiler, loops, scopes, utils, ipu_infeed_queue

tf.disable_v2_behavior()
VOCAB, DIM, BATCH, SEQ = 200000, 64, 16, 10
LR = 0.05

ids = np.random.randint(0, VOCAB, size=(3200, SEQ)).astype(np.int32)
clicked = np.random.randint(0, 2, size=(3200, 1)).astype(np.float32)
dataset = tf.data.Dataset.from_tensor_slices((ids, clicked))
dataset = dataset.batch(BATCH, drop_remainder=True).repeat()
infeed = ipu_infeed_queue.IPUInfeedQueue(dataset, feed_name="clicks")

embedding = embedding_ops.create_host_embedding(
    "items", shape=[VOCAB, DIM], dtype=tf.float32, partition_strategy="TOKEN",
    optimizer_spec=embedding_ops.HostEmbeddingOptimizerSpec(LR),
    initializer=tf.random_normal_initializer(stddev=0.7))


def body(loss, items, label):
  with tf.variable_scope("ctr", use_resource=True):
    e = embedding.lookup(items)
    e = tf.reduce_mean(e, axis=1)
    h = tf.layers.dense(e, 128, activation=tf.nn.relu, name="h")
    logit = tf.layers.dense(h, 1, name="logit")
  loss = tf.reduce_mean(tf.nn.sigmoid_cross_entropy_with_logits(labels=label, logits=logit))
  train = tf.train.GradientDescentOptimizer(LR).minimize(loss)
  with tf.control_dependencies([train]):
    return tf.identity(loss)


def net():
  return loops.repeat(200, body, [0.0], infeed)


with scopes.ipu_scope("/device:IPU:0"):
  run = ipu_compiler.compile(net, [])

opts = utils.create_ipu_config(enable_experimental_remote_buffer_embedding=True)
opts = utils.auto_select_ipus(opts, 1)
utils.configure_ipu_system(opts)
utils.move_variable_initialization_to_cpu()

with tf.Session() as sess:
  sess.run(tf.global_variables_initializer())
  sess.run(infeed.initializer)
  with embedding.register(sess):
    for _ in range(5):
      print(sess.run(run))
