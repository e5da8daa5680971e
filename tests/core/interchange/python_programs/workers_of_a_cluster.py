# {"options": {"experimental.multi_replica_distribution.process_count": 2}, "ipus": 2, "no_warning": "python/ignored"}
import json, os
import numpy as np, tensorflow.compat.v1 as tf
from tensorflow.python import ipu
os.environ["TF_CONFIG"] = json.dumps({"cluster": {"worker": ["host0:3737", "host1:3738"]},
                                      "task": {"type": "worker", "index": 0}})
def model_fn(features, labels, mode):
    logits = tf.layers.dense(features, 10)
    loss = tf.losses.sparse_softmax_cross_entropy(labels=labels, logits=logits)
    return tf.estimator.EstimatorSpec(mode, loss=loss, train_op=tf.train.GradientDescentOptimizer(0.1).minimize(loss))
def input_fn():
    return tf.data.Dataset.from_tensor_slices((np.zeros((320, 20), np.float32), np.zeros((320,), np.int32))).repeat().batch(16, drop_remainder=True)
strategy = ipu.ipu_multi_worker_strategy.IPUMultiWorkerStrategy(tf.distribute.cluster_resolver.SimpleClusterResolver(tf.train.ClusterSpec({"worker": ["h0:1", "h1:2"]}), task_type="worker", task_id=0))
rc = ipu.ipu_run_config.RunConfig(ipu_run_config=ipu.ipu_run_config.IPURunConfig(iterations_per_loop=10), train_distribute=strategy)
ipu.ipu_estimator.IPUEstimator(model_fn, config=rc).train(input_fn, steps=100)
