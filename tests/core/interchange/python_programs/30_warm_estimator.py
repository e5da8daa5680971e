# {"warning": "python/ignored", "says": "\"warm_start_from\" of IPUEstimator is left out", "batch": 16}
import numpy as np
import tensorflow.compat.v1 as tf
from tensorflow.python import ipu

def model_fn(features, labels, mode, params):
  h = tf.layers.dense(features, 64, activation=tf.nn.relu)
  logits = tf.layers.dense(h, 10)
  if mode == tf.estimator.ModeKeys.PREDICT:
    return ipu.ipu_estimator.IPUEstimatorSpec(mode, predictions={'classes': tf.argmax(logits, axis=-1)})
  loss = tf.losses.sparse_softmax_cross_entropy(labels=labels, logits=logits)
  if mode == tf.estimator.ModeKeys.EVAL:
    return ipu.ipu_estimator.IPUEstimatorSpec(mode, loss=loss, eval_metrics=(lambda l, p: {'acc': tf.metrics.accuracy(l, tf.argmax(p, -1))}, [labels, logits]))
  optimizer = tf.train.GradientDescentOptimizer(params['learning_rate'])
  optimizer = ipu.optimizers.CrossReplicaOptimizer(optimizer)
  train_op = optimizer.minimize(loss=loss)
  return ipu.ipu_estimator.IPUEstimatorSpec(mode, loss=loss, train_op=train_op)

def input_fn(params):
  ds = tf.data.Dataset.from_tensor_slices((np.random.rand(256, 20).astype(np.float32), np.random.randint(0, 10, 256).astype(np.int32)))
  return ds.batch(params['batch_size'], drop_remainder=True).repeat()

ipu_options = ipu.config.IPUConfig()
ipu_options.auto_select_ipus = 2
run_config = ipu.ipu_run_config.RunConfig(
    ipu_run_config=ipu.ipu_run_config.IPURunConfig(iterations_per_loop=8, num_replicas=2, ipu_options=ipu_options, prefetch_depth=3),
    log_step_count_steps=8, save_checkpoints_steps=16, model_dir='ckpt', tf_random_seed=7)
estimator = ipu.ipu_estimator.IPUEstimator(model_fn=model_fn, config=run_config, params={'learning_rate': 0.02}, warm_start_from='ckpt/model.h5', train_batch_size=32, eval_batch_size=16)
estimator.train(input_fn=input_fn, steps=32)
estimator.evaluate(input_fn=input_fn, steps=8)
