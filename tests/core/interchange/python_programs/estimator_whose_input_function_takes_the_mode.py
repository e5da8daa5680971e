# {"steps_per_epoch": 1440}
"""IPUEstimator: global batch size, params batch, GA, Keras functional, host_call-free; train_and_evaluate style."""
import numpy as np
import tensorflow.compat.v1 as tf
from tensorflow.python import ipu
from tensorflow.python.ipu.ipu_estimator import IPUEstimator
from tensorflow.python.ipu.ipu_run_config import IPURunConfig, RunConfig


def model_fn(features, labels, mode, params):
    x = tf.layers.dense(features["x"], 32, tf.nn.relu)
    x = tf.layers.batch_normalization(x, training=(mode == tf.estimator.ModeKeys.TRAIN)) if params.get("bn") else x
    logits = tf.layers.dense(x, 3)
    if mode == tf.estimator.ModeKeys.PREDICT:
        return tf.estimator.EstimatorSpec(mode, predictions={"p": tf.nn.softmax(logits)})
    loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels=labels, logits=logits))
    if mode == tf.estimator.ModeKeys.TRAIN:
        opt = tf.train.AdamOptimizer(params["lr"])
        opt = ipu.optimizers.CrossReplicaGradientAccumulationOptimizerV2(opt, params["accum"])
        return tf.estimator.EstimatorSpec(mode, loss=loss, train_op=opt.minimize(loss))

    def metric_fn(labels, logits):
        return {"accuracy": tf.metrics.accuracy(labels, tf.argmax(logits, -1))}
    return ipu.ipu_estimator.IPUEstimatorSpec(mode, loss=loss, eval_metrics=(metric_fn, [labels, logits]))


def input_fn(params, mode):
    ds = tf.data.Dataset.from_tensor_slices(({"x": np.zeros((960, 20), np.float32)}, np.zeros((960,), np.int32)))
    if mode == tf.estimator.ModeKeys.TRAIN:
        ds = ds.shuffle(960).repeat()
    return ds.batch(params["batch_size"], drop_remainder=True)


def main():
    cfg = ipu.config.IPUConfig()
    cfg.auto_select_ipus = 4
    run_config = RunConfig(ipu_run_config=IPURunConfig(iterations_per_loop=60, ipu_options=cfg, num_replicas=4, num_shards=1), tf_random_seed=42)
    est = IPUEstimator(model_fn, config=run_config, params={"lr": 2e-3, "accum": 6, "bn": False}, train_batch_size=96, eval_batch_size=48)
    for epoch in range(3):
        est.train(input_fn, steps=120)
        print(est.evaluate(input_fn, steps=20))


main()
