# {"error": "value-error/steps", "says": "both steps and max_steps"}
import numpy as np
import tensorflow.compat.v1 as tf
from tensorflow.python import ipu
tf.disable_v2_behavior()
def model_fn(features, labels, mode, params):
    logits = tf.layers.dense(features, 10)
    loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels=labels, logits=logits))
    train = tf.train.GradientDescentOptimizer(0.1).minimize(loss)
    return tf.estimator.EstimatorSpec(mode, loss=loss, train_op=train)
def input_fn():
    ds = tf.data.Dataset.from_tensor_slices((np.zeros((64, 8), np.float32), np.zeros((64,), np.int32)))
    return ds.batch(8, drop_remainder=True).repeat()
cfg = ipu.config.IPUConfig(); cfg.auto_select_ipus = 1
run_config = ipu.ipu_run_config.IPURunConfig(iterations_per_loop=10, ipu_options=cfg)
est = ipu.ipu_estimator.IPUEstimator(config=ipu.ipu_run_config.RunConfig(ipu_run_config=run_config), model_fn=model_fn)
est.train(input_fn, steps=100, max_steps=100)
