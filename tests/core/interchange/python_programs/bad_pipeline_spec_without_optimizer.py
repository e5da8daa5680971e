# {"error": "value-error/optimizer-function", "line": 30}
import numpy as np
import tensorflow.compat.v1 as tf
from tensorflow.python import ipu
from tensorflow.python.ipu import ipu_pipeline_estimator


def input_fn():
    data = tf.data.Dataset.from_tensor_slices((np.zeros((64, 4), np.float32), np.zeros((64,), np.int32)))
    return data.repeat().batch(4, drop_remainder=True)


def model_fn(mode):
    def first(x, y):
        return tf.layers.dense(x, 8, tf.nn.relu), y

    def second(x, y):
        logits = tf.layers.dense(x, 2)
        return tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels=y, logits=logits))

    return ipu_pipeline_estimator.IPUPipelineEstimatorSpec(
        mode, computational_stages=[first, second], gradient_accumulation_count=4)


options = ipu.config.IPUConfig()
options.auto_select_ipus = 2
run = ipu.ipu_run_config.RunConfig(
    ipu_run_config=ipu.ipu_run_config.IPURunConfig(num_shards=2, iterations_per_loop=4, ipu_options=options))
estimator = ipu_pipeline_estimator.IPUPipelineEstimator(config=run, model_fn=model_fn)
estimator.train(input_fn, steps=8)
