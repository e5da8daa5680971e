# {"classes": ["InputLayer", "Dense", "Dense", "TFOpLambda"], "batch": 16, "steps_per_epoch": 5, "steps_per_execution": 5, "warning": "python/predicts-only", "says": "--mode predict"}
import numpy as np
import tensorflow.compat.v1 as tf
from tensorflow.python import ipu

def model_fn(features, labels, mode, params):
  x = tf.layers.dense(features, 64, activation=tf.nn.relu)
  logits = tf.layers.dense(x, 4)
  return tf.estimator.EstimatorSpec(mode, predictions={"p": tf.nn.softmax(logits)})

def input_fn(params):
  x = np.random.rand(640, 30).astype(np.float32)
  y = np.random.randint(0, 4, 640).astype(np.int32)
  ds = tf.data.Dataset.from_tensor_slices((x, y))
  return ds.repeat().batch(params["batch_size"], drop_remainder=True)

opts = ipu.config.IPUConfig()
opts.auto_select_ipus = 1
rc = ipu.ipu_run_config.RunConfig(ipu_run_config=ipu.ipu_run_config.IPURunConfig(iterations_per_loop=5, ipu_options=opts), model_dir="/tmp/m", save_checkpoints_steps=200)
est = ipu.ipu_estimator.IPUEstimator(model_fn, config=rc, params={"batch_size": 16})
for p in est.predict(input_fn, num_predictions=80):
  print(p)
