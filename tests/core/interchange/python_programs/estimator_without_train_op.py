# {"error": "value-error/train-op", "says": "has no train_op"}
import numpy as np, tensorflow.compat.v1 as tf
from tensorflow.python import ipu
def model_fn(features, labels, mode, params):
    logits = tf.layers.dense(features, 10)
    loss = tf.losses.sparse_softmax_cross_entropy(labels=labels, logits=logits)
    optimizer = tf.train.GradientDescentOptimizer(0.1)
    variables = tf.trainable_variables()
    return ipu.ipu_estimator.IPUEstimatorSpec(mode=mode, loss=loss)
def input_fn():
    return tf.data.Dataset.from_tensor_slices((np.zeros((320, 20), np.float32), np.zeros((320,), np.int32))).repeat().batch(16, drop_remainder=True)
est = ipu.ipu_estimator.IPUEstimator(model_fn, config=ipu.ipu_run_config.RunConfig(ipu_run_config=ipu.ipu_run_config.IPURunConfig(iterations_per_loop=10)), params={})
est.train(input_fn, steps=100)
