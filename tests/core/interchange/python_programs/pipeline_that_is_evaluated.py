# {"stages": 2, "no_warning": "python/ignored"}
import numpy as np
import tensorflow.compat.v1 as tf
from tensorflow.python import ipu
from tensorflow.python.ipu import pipelining_ops
def model_fn(mode, params):
    def first(features, labels):
        return tf.layers.dense(features, 8), labels
    def second(x, labels):
        return tf.losses.mean_squared_error(labels, tf.layers.dense(x, 1))
    def optimizer(loss):
        return pipelining_ops.OptimizerFunctionOutput(tf.train.GradientDescentOptimizer(0.1), loss)
    return ipu.ipu_pipeline_estimator.IPUPipelineEstimatorSpec(
        mode, computational_stages=[first, second], optimizer_function=optimizer,
        eval_metrics_fn=lambda loss: {"loss": loss}, gradient_accumulation_count=8)
def input_fn():
    samples = (np.zeros((320, 20), np.float32), np.zeros((320, 1), np.float32))
    return tf.data.Dataset.from_tensor_slices(samples).repeat().batch(16, drop_remainder=True)
options = ipu.config.IPUConfig()
options.auto_select_ipus = 2
own = ipu.ipu_run_config.IPURunConfig(iterations_per_loop=8, num_shards=2, ipu_options=options)
estimator = ipu.ipu_pipeline_estimator.IPUPipelineEstimator(
    model_fn, config=ipu.ipu_run_config.RunConfig(ipu_run_config=own), params={})
estimator.train(input_fn, steps=80)
estimator.evaluate(input_fn, steps=80)
