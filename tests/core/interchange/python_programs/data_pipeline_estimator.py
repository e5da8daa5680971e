# {"stages": 3, "accumulation": 12, "stage_list": [0, 0, 1, 2]}
import functools
import numpy as np
import tensorflow as tf
from tensorflow.python import ipu
from tensorflow.python.ipu import pipelining_ops

tf.compat.v1.logging.set_verbosity(tf.compat.v1.logging.INFO)

VOCAB = 500
SEQ = 20


def model_fn(mode, params):
    def embed(features, labels=None):
        with tf.compat.v1.variable_scope("embed", use_resource=True):
            table = tf.compat.v1.get_variable("table", [VOCAB, 24], tf.float32)
            x = ipu.embedding_ops.embedding_lookup(table, features)
        x = tf.reduce_mean(x, axis=1)
        if mode == tf.estimator.ModeKeys.PREDICT:
            return x
        return x, labels

    def middle(x, labels=None):
        with tf.compat.v1.variable_scope("middle", use_resource=True):
            x = tf.compat.v1.layers.dense(x, 64, activation=tf.nn.relu)
        if mode == tf.estimator.ModeKeys.PREDICT:
            return x
        return x, labels

    def head(x, labels=None):
        with tf.compat.v1.variable_scope("head", use_resource=True):
            logits = tf.compat.v1.layers.dense(x, params["classes"])
        if mode == tf.estimator.ModeKeys.PREDICT:
            return {"probabilities": tf.nn.softmax(logits)}
        loss = tf.compat.v1.losses.sparse_softmax_cross_entropy(
            labels=labels, logits=logits)
        if mode == tf.estimator.ModeKeys.EVAL:
            return loss, tf.argmax(logits, axis=1), labels
        return loss

    def optimizer_function(loss):
        opt = tf.compat.v1.train.AdamOptimizer(params["learning_rate"])
        return pipelining_ops.OptimizerFunctionOutput(opt, loss)

    def eval_metrics(loss, predicted, labels):
        return {"loss": loss,
                "accuracy": tf.compat.v1.metrics.accuracy(labels, predicted)}

    return ipu.ipu_pipeline_estimator.IPUPipelineEstimatorSpec(
        mode,
        computational_stages=[embed, middle, head],
        gradient_accumulation_count=params["depth"],
        optimizer_function=optimizer_function,
        eval_metrics_fn=eval_metrics,
        device_mapping=[0, 1, 1])


def input_fn(batch):
    tokens = np.random.randint(0, VOCAB, (960, SEQ)).astype(np.int32)
    labels = np.random.randint(0, 4, (960,)).astype(np.int32)
    ds = tf.data.Dataset.from_tensor_slices((tokens, labels))
    return ds.shuffle(960).batch(batch, drop_remainder=True).repeat()


def main():
    opts = ipu.config.IPUConfig()
    opts.auto_select_ipus = 2
    run = ipu.ipu_run_config.RunConfig(
        ipu_run_config=ipu.ipu_run_config.IPURunConfig(
            iterations_per_loop=36, ipu_options=opts),
        log_step_count_steps=1, save_summary_steps=1)
    est = ipu.ipu_pipeline_estimator.IPUPipelineEstimator(
        model_fn=model_fn, config=run,
        params={"learning_rate": 3e-4, "classes": 4, "depth": 12})
    est.train(functools.partial(input_fn, 8), steps=360)


main()
