# {"batch": 8, "steps_per_epoch": 8, "warning": "python/dataset", "says": "there is no folder to store them in"}
import numpy as np
import tensorflow.compat.v1 as tf
from tensorflow.python import ipu


def model_fn(features, labels, mode):
    loss = tf.losses.mean_squared_error(labels, tf.layers.dense(features, 1))
    step = tf.train.GradientDescentOptimizer(0.1).minimize(loss)
    return tf.estimator.EstimatorSpec(mode, loss=loss, train_op=step)


def input_fn():
    x = np.random.RandomState(0).rand(64, 5).astype(np.float32)
    y = np.random.RandomState(1).rand(64, 1).astype(np.float32)
    return tf.data.Dataset.from_tensor_slices((x, y)).batch(8, drop_remainder=True).repeat()


options = ipu.config.IPUConfig()
options.auto_select_ipus = 1
run = ipu.ipu_run_config.IPURunConfig(iterations_per_loop=4, ipu_options=options)
estimator = ipu.ipu_estimator.IPUEstimator(model_fn, config=ipu.ipu_run_config.RunConfig(run))
estimator.train(input_fn, steps=8)
