# {"classes": ["InputLayer", "Flatten", "Dense", "Dense"], "stages": 2, "accumulation": 4, "steps_per_epoch": 2000, "optimizer": "SGD"}
# IPUPipelineEstimator
import tensorflow.compat.v1 as tf
from tensorflow.python import ipu
from tensorflow.python.ipu import ipu_pipeline_estimator, ipu_run_config, pipelining_ops
NUM_CLASSES = 10
def create_ipu_estimator(model_fn, num_ipus):
    cfg = ipu.config.IPUConfig()
    cfg.auto_select_ipus = num_ipus
    run_config = ipu_run_config.RunConfig(ipu_run_config=ipu_run_config.IPURunConfig(iterations_per_loop=20, num_shards=num_ipus, ipu_options=cfg), log_step_count_steps=100)
    return ipu_pipeline_estimator.IPUPipelineEstimator(config=run_config, model_fn=model_fn, params={"learning_rate": 0.05})
def model_fn(mode, params):
    def stage1(features, labels=None):
        x = tf.layers.flatten(features)
        x = tf.layers.dense(x, 256, activation=tf.nn.relu)
        return (x, labels) if labels is not None else x
    def stage2(partial, labels=None):
        logits = tf.layers.dense(partial, NUM_CLASSES)
        if mode == tf.estimator.ModeKeys.TRAIN:
            return tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels=labels, logits=logits))
        return tf.argmax(logits, axis=1)
    def optimizer_function(loss):
        return pipelining_ops.OptimizerFunctionOutput(tf.train.GradientDescentOptimizer(params["learning_rate"]), loss)
    return ipu_pipeline_estimator.IPUPipelineEstimatorSpec(mode, computational_stages=[stage1, stage2], optimizer_function=optimizer_function, gradient_accumulation_count=4)
def input_fn():
    (x, y), _ = tf.keras.datasets.fashion_mnist.load_data()
    x = (x / 255.0).astype("float32")
    ds = tf.data.Dataset.from_tensor_slices((x, y.astype("int32"))).shuffle(1000)
    return ds.batch(32, drop_remainder=True).repeat()
if __name__ == "__main__":
    estimator = create_ipu_estimator(model_fn, 2)
    estimator.train(input_fn, steps=2000)
