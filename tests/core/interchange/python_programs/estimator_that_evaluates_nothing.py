# {"error": "value-error/eval-metrics", "says": "eval_metrics_fn"}
import numpy as np, tensorflow.compat.v1 as tf
from tensorflow.python import ipu
from tensorflow.python.ipu import pipelining_ops
def model_fn(mode, params):
    def s0(features, labels): return tf.layers.dense(features, 8), labels
    def s1(x, labels): return tf.losses.sparse_softmax_cross_entropy(labels=labels, logits=tf.layers.dense(x, 10))
    def of(loss): return pipelining_ops.OptimizerFunctionOutput(tf.train.GradientDescentOptimizer(0.1), loss)
    return ipu.ipu_pipeline_estimator.IPUPipelineEstimatorSpec(mode, computational_stages=[s0, s1], optimizer_function=of, gradient_accumulation_count=8)
def input_fn():
    return tf.data.Dataset.from_tensor_slices((np.zeros((320, 20), np.float32), np.zeros((320,), np.int32))).repeat().batch(16, drop_remainder=True)
o = ipu.config.IPUConfig()
o.auto_select_ipus = 2
rc = ipu.ipu_run_config.RunConfig(ipu_run_config=ipu.ipu_run_config.IPURunConfig(iterations_per_loop=8, num_shards=2, ipu_options=o))
est = ipu.ipu_pipeline_estimator.IPUPipelineEstimator(model_fn, config=rc, params={})
est.evaluate(input_fn, steps=80)
