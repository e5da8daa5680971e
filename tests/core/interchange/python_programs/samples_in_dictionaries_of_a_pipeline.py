# {"stages": 2, "parameters": 209, "no_warning": "python/shape"}
import numpy as np, tensorflow.compat.v1 as tf
from tensorflow.python import ipu
from tensorflow.python.ipu import pipelining_ops
def model_fn(mode, params):
    def s0(features, labels):
        x = tf.concat([features["a"], features["b"]], axis=-1)
        return tf.layers.dense(x, 8), labels
    def s1(x, labels): return tf.losses.mean_squared_error(labels, tf.layers.dense(x, 1))
    def of(loss): return pipelining_ops.OptimizerFunctionOutput(tf.train.GradientDescentOptimizer(0.1), loss)
    return ipu.ipu_pipeline_estimator.IPUPipelineEstimatorSpec(mode, computational_stages=[s0, s1], optimizer_function=of, gradient_accumulation_count=8)
def input_fn():
    f = {"a": np.zeros((320, 20), np.float32), "b": np.zeros((320, 4), np.float32)}
    return tf.data.Dataset.from_tensor_slices((f, np.zeros((320, 1), np.float32))).repeat().batch(16, drop_remainder=True)
o = ipu.config.IPUConfig()
o.auto_select_ipus = 2
rc = ipu.ipu_run_config.RunConfig(ipu_run_config=ipu.ipu_run_config.IPURunConfig(iterations_per_loop=8, num_shards=2, ipu_options=o))
ipu.ipu_pipeline_estimator.IPUPipelineEstimator(model_fn, config=rc, params={}).train(input_fn, steps=80)
