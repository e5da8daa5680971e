# {"classes": ["InputLayer", "Dense", "Dense"], "input": [5, 10], "steps_per_epoch": 160, "steps_per_execution": 16, "batch": 5, "accumulation": 8, "optimizer": "SGD", "loss": "SparseCategoricalCrossentropy", "stages": 2}
import tensorflow as tf
from tensorflow import keras
from tensorflow.python import ipu

import numpy as np
from tensorflow.python.ipu import ipu_compiler, ipu_infeed_queue, ipu_outfeed_queue, loops, scopes, utils
from tensorflow.python.ipu.ops import pipelining_ops
import tensorflow.compat.v1 as tf
tf.disable_v2_behavior()
def make_ds():
    x = np.random.rand(200, 10).astype(np.float32)
    y = np.random.randint(3, size=[200]).astype(np.int32)
    return tf.data.Dataset.from_tensor_slices((x, y)).repeat().batch(5, drop_remainder=True)
infeed_queue = ipu_infeed_queue.IPUInfeedQueue(make_ds())
outfeed_queue = ipu_outfeed_queue.IPUOutfeedQueue()
def stage1(lr, x, y):
    x = tf.keras.layers.Dense(16, activation="relu")(x)
    return lr, x, y
def stage2(lr, x, y):
    logits = tf.keras.layers.Dense(3)(x)
    loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels=y, logits=logits))
    return lr, loss
def optimizer_function(lr, loss):
    return pipelining_ops.OptimizerFunctionOutput(tf.train.GradientDescentOptimizer(lr), loss)
def model(lr):
    return pipelining_ops.pipeline([stage1, stage2], gradient_accumulation_count=8, repeat_count=2, inputs=[lr],
        infeed_queue=infeed_queue, outfeed_queue=outfeed_queue, optimizer_function=optimizer_function,
        pipeline_schedule=pipelining_ops.PipelineSchedule.Grouped, name="Pipeline")
with scopes.ipu_scope("/device:IPU:0"):
    compiled = ipu_compiler.compile(model, inputs=[tf.placeholder(tf.float32, [])]) if False else None
    lr = tf.placeholder(tf.float32, [])
    compiled = ipu_compiler.compile(model, inputs=[lr])
cfg = ipu.config.IPUConfig()
cfg.auto_select_ipus = 2
cfg.configure_ipu_system()
with tf.Session() as sess:
    sess.run(infeed_queue.initializer)
    sess.run(tf.global_variables_initializer())
    for _ in range(10):
        sess.run(compiled, {lr: 0.01})
        print(sess.run(outfeed_queue.dequeue()))
