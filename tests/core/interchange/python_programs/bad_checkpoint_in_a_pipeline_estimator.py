# {"error": "value-error/init-from-checkpoint", "line": 15, "says": "warm_start_from"}
import numpy as np
import tensorflow.compat.v1 as tf
from tensorflow.python import ipu
from tensorflow.python.ipu import pipelining_ops, ipu_infeed_queue, ipu_outfeed_queue
from tensorflow.python.ipu import ipu_estimator, ipu_pipeline_estimator, ipu_run_config
def input_fn():
    d = (np.random.rand(64, 12).astype(np.float32), np.random.randint(0, 3, 64).astype(np.int32))
    return tf.data.Dataset.from_tensor_slices(d).repeat().batch(4, drop_remainder=True)
def model_fn(mode):
    def s0(x, y):
        return tf.layers.dense(x, 8, activation=tf.nn.relu), y
    def s1(x, y):
        return tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels=y, logits=tf.layers.dense(x, 3)))
    tf.train.init_from_checkpoint("old/", {"/": "/"})
    def opt(loss):
        return pipelining_ops.OptimizerFunctionOutput(tf.train.GradientDescentOptimizer(0.1), loss)
    return ipu_pipeline_estimator.IPUPipelineEstimatorSpec(mode, [s0, s1], gradient_accumulation_count=8, optimizer_function=opt)
c = ipu.config.IPUConfig()
c.auto_select_ipus = 2
rc = ipu_run_config.RunConfig(ipu_run_config=ipu_run_config.IPURunConfig(iterations_per_loop=16, num_shards=2, ipu_options=c))
e = ipu_pipeline_estimator.IPUPipelineEstimator(model_fn, config=rc)
e.train(input_fn, steps=16)
