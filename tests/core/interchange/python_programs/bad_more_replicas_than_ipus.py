# {"error": "value-error/too-few-ipus", "line": 23, "says": "set auto_select_ipus to 4"}
import numpy as np
import tensorflow.compat.v1 as tf
from tensorflow.python import ipu
from tensorflow.python.ipu import pipelining_ops, ipu_infeed_queue, ipu_outfeed_queue
from tensorflow.python.ipu import ipu_estimator, ipu_pipeline_estimator, ipu_run_config
def input_fn():
    d = (np.random.rand(64, 12).astype(np.float32), np.random.randint(0, 3, 64).astype(np.int32))
    return tf.data.Dataset.from_tensor_slices(d).repeat().batch(4, drop_remainder=True)
def model_fn(features, labels, mode):
    y = labels
    logits = tf.layers.dense(features, 3)
    if mode == tf.estimator.ModeKeys.PREDICT:
        return tf.estimator.EstimatorSpec(mode, predictions={"p": tf.nn.softmax(logits)})
    loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels=y, logits=logits))
    if mode == tf.estimator.ModeKeys.EVAL:
        return ipu_estimator.IPUEstimatorSpec(mode, loss=loss, eval_metrics=(lambda l, t: {"acc": tf.metrics.accuracy(t, tf.argmax(l, 1))}, [logits, labels]))
    return ipu_estimator.IPUEstimatorSpec(mode, loss=loss, train_op=tf.train.AdamOptimizer(0.01).minimize(loss))
c = ipu.config.IPUConfig()
c.auto_select_ipus = 2
rc = ipu_run_config.RunConfig(ipu_run_config=ipu_run_config.IPURunConfig(iterations_per_loop=5, num_replicas=4, ipu_options=c))
e = ipu_estimator.IPUEstimator(model_fn, config=rc)
e.train(input_fn, steps=10)
