# {"optimizer_config": {"learning_rate": {"class_name": "ExponentialDecay", "config": {"initial_learning_rate": 0.1, "decay_steps": 100, "decay_rate": 0.5}}}}
"""IPUPipelineEstimator with global step learning rate, labels dict, device mapping."""
import tensorflow.compat.v1 as tf
import numpy as np
from tensorflow.python import ipu


class Model:
    def __init__(self, hp, mode):
        self.hp, self.mode = hp, mode

    def first(self, features, labels):
        h = tf.layers.dense(features["x"], self.hp["h"], tf.nn.relu)
        return h, labels

    def second(self, h, labels):
        h = tf.layers.dense(h, self.hp["h"], tf.nn.relu)
        return h, labels

    def third(self, h, labels):
        logits = tf.layers.dense(h, 5)
        loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels=labels, logits=logits))
        return loss if self.mode == tf.estimator.ModeKeys.TRAIN else (loss, tf.argmax(logits, 1), labels)

    def optimizer(self, loss):
        lr = tf.train.exponential_decay(0.1, tf.train.get_global_step(), 1200, 0.5)
        return ipu.pipelining_ops.OptimizerFunctionOutput(tf.train.GradientDescentOptimizer(lr), loss)


def model_fn(mode, params):
    with tf.device("cpu"):
        lr = tf.train.cosine_decay(0.1, tf.train.get_or_create_global_step(), 4800)
    m = Model(params, mode)
    return ipu.ipu_pipeline_estimator.IPUPipelineEstimatorSpec(
        mode, [m.first, m.second, m.third], 12, optimizer_function=m.optimizer, device_mapping=[0, 1, 2],
        pipeline_schedule=ipu.pipelining_ops.PipelineSchedule.Grouped,
        eval_metrics_fn=lambda loss, p, l: {"loss": loss, "acc": tf.metrics.accuracy(l, p)})


def data():
    return tf.data.Dataset.from_tensor_slices(({"x": np.zeros((960, 20), np.float32)}, np.zeros((960,), np.int32))).repeat().batch(4, drop_remainder=True)


opts = ipu.config.IPUConfig()
opts.auto_select_ipus = 4
est = ipu.ipu_pipeline_estimator.IPUPipelineEstimator(
    model_fn=model_fn, params={"h": 24},
    config=ipu.ipu_run_config.RunConfig(ipu_run_config=ipu.ipu_run_config.IPURunConfig(iterations_per_loop=240, num_shards=4, ipu_options=opts)))
est.train(data, max_steps=4800)
