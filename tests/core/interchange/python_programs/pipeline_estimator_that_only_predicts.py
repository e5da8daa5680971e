# {"stages": 2, "classes": ["InputLayer", "Dense", "Dense", "TFOpLambda"], "batch": 5, "warning": "python/predicts-only", "says": "--mode predict"}
import numpy as np
import tensorflow.compat.v1 as tf
from tensorflow.python import ipu
from tensorflow.python.ipu import pipelining_ops

def model_fn(mode, params):
  def s1(x, y=None):
    x = tf.layers.dense(x, 64, activation=tf.nn.relu)
    return x if y is None else (x, y)

  def s2(x, y=None):
    logits = tf.layers.dense(x, 4)
    if mode == tf.estimator.ModeKeys.PREDICT:
      return tf.nn.softmax(logits)
    loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels=y, logits=logits))
    if mode == tf.estimator.ModeKeys.TRAIN:
      return loss
    return loss, tf.argmax(logits, axis=-1), y

  def opt(loss):
    o = ipu.optimizers.CrossReplicaOptimizer(tf.train.AdamOptimizer(params["lr"]))
    return pipelining_ops.OptimizerFunctionOutput(o, loss)

  def metrics(loss, p, y):
    return {"loss": loss, "accuracy": tf.metrics.accuracy(y, p)}

  return ipu.ipu_pipeline_estimator.IPUPipelineEstimatorSpec(
      mode, computational_stages=[s1, s2], gradient_accumulation_count=8, optimizer_function=opt, eval_metrics_fn=metrics)

def input_fn(mode):
  x = np.random.rand(640, 30).astype(np.float32)
  y = np.random.randint(0, 4, 640).astype(np.int32)
  ds = tf.data.Dataset.from_tensor_slices(x if mode == tf.estimator.ModeKeys.PREDICT else (x, y))
  return ds.repeat().batch(5, drop_remainder=True)

opts = ipu.config.IPUConfig()
opts.auto_select_ipus = 4
rc = ipu.ipu_run_config.RunConfig(ipu_run_config=ipu.ipu_run_config.IPURunConfig(num_shards=2, num_replicas=2, iterations_per_loop=16, ipu_options=opts))
est = ipu.ipu_pipeline_estimator.IPUPipelineEstimator(model_fn, config=rc, params={"lr": 0.002})
preds = est.predict(input_fn, num_predictions=80)
print(list(preds)[0])
