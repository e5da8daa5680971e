# {"steps_per_epoch": 640, "steps_per_execution": 10, "batch": 9}
import argparse
import tensorflow.compat.v1 as tf
from tensorflow.python import ipu
def model_fn(features, labels, mode):
    loss = tf.losses.mean_squared_error(labels, tf.layers.dense(features, 1))
    if mode == tf.estimator.ModeKeys.EVAL:
        return tf.estimator.EstimatorSpec(mode, loss=loss)
    return tf.estimator.EstimatorSpec(mode, loss=loss, train_op=tf.train.GradientDescentOptimizer(0.1).minimize(loss))
def input_fn():
    return tf.data.Dataset.from_tensors((tf.zeros([11]), tf.zeros([1]))).repeat().batch(9, drop_remainder=True)
c = ipu.config.IPUConfig()
c.auto_select_ipus = 1
rc = ipu.ipu_run_config.RunConfig(ipu_run_config=ipu.ipu_run_config.IPURunConfig(iterations_per_loop=10, ipu_options=c))
est = ipu.ipu_estimator.IPUEstimator(model_fn, config=rc)
train_spec = tf.estimator.TrainSpec(input_fn=input_fn, max_steps=640)
eval_spec = tf.estimator.EvalSpec(input_fn=input_fn, steps=30)
tf.estimator.train_and_evaluate(est, train_spec, eval_spec)
