# {"error": "value-error/batch-size", "says": "not divisible by the 4 replicas"}
import numpy as np, tensorflow.compat.v1 as tf
from tensorflow.python import ipu
from tensorflow.python.ipu import pipelining_ops
def model_fn(features, labels, mode, params):
    logits = tf.layers.dense(features, 10)
    loss = tf.losses.sparse_softmax_cross_entropy(labels=labels, logits=logits)
    return tf.estimator.EstimatorSpec(mode, loss=loss, train_op=tf.train.GradientDescentOptimizer(0.1).minimize(loss))
def input_fn(params):
    return tf.data.Dataset.from_tensor_slices((np.zeros((320, 20), np.float32), np.zeros((320,), np.int32))).repeat().batch(16, drop_remainder=True)
o = ipu.config.IPUConfig()
o.auto_select_ipus = 4
rc = ipu.ipu_run_config.RunConfig(ipu_run_config=ipu.ipu_run_config.IPURunConfig(iterations_per_loop=10, num_replicas=4, ipu_options=o))
est = ipu.ipu_estimator.IPUEstimator(model_fn, config=rc, params={}, train_batch_size=18)
est.train(input_fn, steps=100)
