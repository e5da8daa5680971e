# {"batch": 64, "effective_batch": 128, "no_warning": "python/replicas", "steps_per_execution": 32}
"""IPUEstimator with the multi-worker strategy; loss only."""
import json
import os
import tensorflow.compat.v1 as tf
from tensorflow.python import ipu
from tensorflow.python.ipu.ipu_multi_worker_strategy import IPUMultiWorkerStrategy

os.environ["TF_CONFIG"] = json.dumps({
    "cluster": {"worker": ["host0:3737", "host1:3737"]},
    "task": {"type": "worker", "index": 0}})


def model_fn(features, labels, mode):
  net = tf.layers.dense(features, 256, tf.nn.relu)
  net = ipu.rand_ops.dropout(net, rate=0.3)
  net = tf.layers.dense(net, 64, tf.nn.relu)
  logits = tf.layers.dense(net, 2)
  loss = tf.losses.sparse_softmax_cross_entropy(labels=labels, logits=logits)
  opt = tf.train.GradientDescentOptimizer(learning_rate=0.03)
  train_op = opt.minimize(loss, tf.train.get_or_create_global_step())
  return ipu.ipu_estimator.IPUEstimatorSpec(mode, loss=loss, train_op=train_op)


def input_fn(params):
  x = tf.random.normal((4096, 90))
  y = tf.cast(tf.reduce_sum(x, 1) > 0, tf.int32)
  ds = tf.data.Dataset.from_tensor_slices((x, y))
  return ds.shuffle(4096).batch(params["batch_size"], drop_remainder=True).repeat()


strategy = IPUMultiWorkerStrategy(tf.distribute.cluster_resolver.TFConfigClusterResolver())
opts = ipu.config.IPUConfig()
opts.auto_select_ipus = 1
run_config = ipu.ipu_run_config.RunConfig(
    session_config=tf.ConfigProto(allow_soft_placement=False),
    train_distribute=strategy,
    ipu_run_config=ipu.ipu_run_config.IPURunConfig(iterations_per_loop=32, ipu_options=opts))
estimator = ipu.ipu_estimator.IPUEstimator(model_fn, config=run_config, train_batch_size=128)
estimator.train(input_fn, steps=320)
