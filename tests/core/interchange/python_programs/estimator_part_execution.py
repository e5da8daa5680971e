# {"steps_per_epoch": 110, "warning": "python/replaced"}
import tensorflow.compat.v1 as tf
from tensorflow.python import ipu
def model_fn(features, labels, mode, params):
    loss = tf.losses.mean_squared_error(labels, tf.layers.dense(features, 1))
    return tf.estimator.EstimatorSpec(mode, loss=loss, train_op=tf.train.GradientDescentOptimizer(params["lr"]).minimize(loss))
def input_fn(bs=9):
    return tf.data.Dataset.from_tensors((tf.zeros([11]), tf.zeros([1]))).repeat().batch(bs, drop_remainder=True)
c = ipu.config.IPUConfig()
c.auto_select_ipus = 1
rc = ipu.ipu_run_config.RunConfig(ipu_run_config=ipu.ipu_run_config.IPURunConfig(iterations_per_loop=10, ipu_options=c))
est = ipu.ipu_estimator.IPUEstimator(model_fn, config=rc, params={"lr": 0.1})
est.train(input_fn, steps=105)
