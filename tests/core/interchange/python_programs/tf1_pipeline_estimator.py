# {"loss": "SparseCategoricalCrossentropy", "stages": 2, "accumulation": 8}
import numpy as np
import tensorflow.compat.v1 as tf
from tensorflow import keras
from tensorflow.python import ipu
config = ipu.config.IPUConfig()
config.auto_select_ipus = 2
config.configure_ipu_system()
(x, y), _ = keras.datasets.mnist.load_data()
dataset = tf.data.Dataset.from_tensor_slices((x, y)).batch(8, drop_remainder=True).repeat()
def stage1(image, label):
    x = keras.layers.Flatten()(image)
    return ipu.nn_ops.gelu(keras.layers.Dense(16)(x)), label

def stage2(x, label):
    logits = keras.layers.Dense(10)(x)
    loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels=label, logits=logits))
    return loss

def optimizer(loss):
    return ipu.pipelining_ops.OptimizerFunctionOutput(tf.train.GradientDescentOptimizer(0.01), loss)

def model_fn(mode):
    return ipu.ipu_pipeline_estimator.IPUPipelineEstimatorSpec(mode, computational_stages=[stage1, stage2],
        gradient_accumulation_count=8, optimizer_function=optimizer)

estimator = ipu.ipu_pipeline_estimator.IPUPipelineEstimator(model_fn)
estimator.train(lambda: dataset, steps=100)
