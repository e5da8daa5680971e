# {"classes": ["InputLayer", "Dense", "Dense"], "batch": 16, "steps_per_epoch": 50, "loss": "SparseCategoricalCrossentropy", "metrics": ["accuracy"], "warning": "python/predicts-only", "says": "--mode evaluate"}
import numpy as np
import tensorflow.compat.v1 as tf
from tensorflow.python import ipu

def model_fn(features, labels, mode, params):
  x = tf.layers.dense(features, 64, activation=tf.nn.relu)
  logits = tf.layers.dense(x, 4)
  loss = tf.losses.sparse_softmax_cross_entropy(labels, logits)
  return tf.estimator.EstimatorSpec(mode, loss=loss, eval_metric_ops={"acc": tf.metrics.accuracy(labels, tf.argmax(logits, 1))})

def input_fn(params):
  x = np.random.rand(640, 30).astype(np.float32)
  y = np.random.randint(0, 4, 640).astype(np.int32)
  ds = tf.data.Dataset.from_tensor_slices((x, y))
  return ds.repeat().batch(params["batch_size"], drop_remainder=True)

opts = ipu.config.IPUConfig()
opts.auto_select_ipus = 1
rc = ipu.ipu_run_config.RunConfig(ipu_run_config=ipu.ipu_run_config.IPURunConfig(iterations_per_loop=5, ipu_options=opts), model_dir="/tmp/m", save_checkpoints_steps=200)
est = ipu.ipu_estimator.IPUEstimator(model_fn, config=rc, params={"batch_size": 16})
r = est.evaluate(input_fn, steps=50)
print(r)
