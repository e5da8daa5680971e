# {"metrics": ["accuracy"], "stages": 2, "no_warning": "python/ignored"}
import numpy as np
import tensorflow.compat.v1 as tf
from tensorflow.python import ipu
from tensorflow.python.ipu import ipu_pipeline_estimator, pipelining_ops
def model_fn(mode):
    def a(x, y):
        return tf.layers.dense(x, 16, activation=tf.nn.relu), y
    def b(h, y):
        logits = tf.layers.dense(h, 3)
        loss = tf.losses.sparse_softmax_cross_entropy(labels=y, logits=logits)
        if mode == tf.estimator.ModeKeys.TRAIN:
            return loss
        return loss, y, tf.argmax(logits, -1)
    def metrics(loss, y, p):
        return {"loss": loss, "accuracy": tf.metrics.accuracy(y, p)}
    return ipu_pipeline_estimator.IPUPipelineEstimatorSpec(mode, [a, b], gradient_accumulation_count=8, eval_metrics_fn=metrics, optimizer_function=lambda loss: pipelining_ops.OptimizerFunctionOutput(tf.train.GradientDescentOptimizer(0.1), loss))
def input_fn():
    r = np.random.RandomState(1)
    return tf.data.Dataset.from_tensor_slices((r.rand(320, 5).astype(np.float32), r.randint(3, size=320).astype(np.int32))).repeat().batch(4, drop_remainder=True)
o = ipu.config.IPUConfig()
o.auto_select_ipus = 2
c = ipu.ipu_run_config.RunConfig(ipu_run_config=ipu.ipu_run_config.IPURunConfig(iterations_per_loop=16, num_shards=2, ipu_options=o))
est = ipu_pipeline_estimator.IPUPipelineEstimator(model_fn, config=c)
est.train(input_fn, steps=160)
print(est.evaluate(input_fn, steps=80))
