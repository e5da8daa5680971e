# {"stages": 2, "accumulation": 12, "schedule": "Interleaved", "loss": "SparseCategoricalCrossentropy", "classes": ["InputLayer", "Flatten", "Dense", "Activation", "Dense"], "effective_batch": 96, "ipus": 2}
import numpy as np
import tensorflow.compat.v1 as tf
from tensorflow import keras
from tensorflow.python import ipu
config = ipu.config.IPUConfig()
config.auto_select_ipus = 2
config.configure_ipu_system()
(x, y), _ = keras.datasets.mnist.load_data()
dataset = tf.data.Dataset.from_tensor_slices((x, y)).batch(8, drop_remainder=True).repeat()
infeed = ipu.ipu_infeed_queue.IPUInfeedQueue(dataset)
outfeed = ipu.ipu_outfeed_queue.IPUOutfeedQueue()
def stage1(image, label):
    x = keras.layers.Flatten()(image)
    return ipu.nn_ops.gelu(keras.layers.Dense(16)(x)), label

def stage2(x, label):
    logits = keras.layers.Dense(10)(x)
    loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels=label, logits=logits))
    return loss

def optimizer(loss):
    return ipu.pipelining_ops.OptimizerFunctionOutput(tf.train.GradientDescentOptimizer(0.01), loss)

def net():
    return ipu.pipelining_ops.pipeline([stage1, stage2], 12, infeed_queue=infeed, outfeed_queue=outfeed,
        optimizer_function=optimizer, pipeline_schedule=ipu.pipelining_ops.PipelineSchedule.Interleaved)

with ipu.scopes.ipu_scope('/device:IPU:0'):
    run = ipu.ipu_compiler.compile(net)
