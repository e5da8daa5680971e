# {"metrics": ["accuracy"]}
import numpy as np, tensorflow.compat.v1 as tf
from tensorflow.python import ipu
def model_fn(features, labels, mode):
    logits = tf.layers.dense(features, 10)
    loss = tf.losses.sparse_softmax_cross_entropy(labels=labels, logits=logits)
    if mode == tf.estimator.ModeKeys.EVAL:
        return ipu.ipu_estimator.IPUEstimatorSpec(mode, loss=loss, eval_metrics=(lambda l, g: {"accuracy": tf.metrics.accuracy(l, tf.argmax(g, -1))}, [labels, logits]))
    return tf.estimator.EstimatorSpec(mode, loss=loss, train_op=tf.train.GradientDescentOptimizer(0.1).minimize(loss))
def input_fn():
    return tf.data.Dataset.from_tensor_slices((np.zeros((320, 20), np.float32), np.zeros((320,), np.int32))).repeat().batch(16, drop_remainder=True)
rc = ipu.ipu_run_config.RunConfig(ipu_run_config=ipu.ipu_run_config.IPURunConfig(iterations_per_loop=10))
est = ipu.ipu_estimator.IPUEstimator(model_fn, config=rc)
est.train(input_fn, steps=100)
print(est.evaluate(input_fn, steps=20))
