# {"classes": ["InputLayer", "Conv2D", "Flatten", "Dense"], "batch": 16, "steps_per_execution": 100, "input": [16, 8, 8, 3], "optimizer": "SGD"}
import numpy as np
import tensorflow.compat.v1 as tf
from tensorflow.python import ipu
from tensorflow.python.ipu import ipu_compiler, ipu_infeed_queue, loops, scopes

tf.disable_v2_behavior()
cfg = ipu.config.IPUConfig()
cfg.auto_select_ipus = 1
cfg.configure_ipu_system()
dataset = tf.data.Dataset.from_tensor_slices(
    {"features": np.zeros((160, 8, 8, 3), np.float32), "labels": np.zeros((160,), np.int32)})
queue = ipu_infeed_queue.IPUInfeedQueue(dataset.repeat().batch(16, drop_remainder=True))

def body(loss, features, labels):
    logits = tf.layers.dense(tf.layers.flatten(tf.layers.conv2d(features, 4, 3)), 10)
    loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels=labels, logits=logits))
    with tf.control_dependencies([tf.train.GradientDescentOptimizer(0.001).minimize(loss)]):
        return tf.identity(loss)

with scopes.ipu_scope("/device:IPU:0"):
    out = ipu_compiler.compile(lambda: loops.repeat(100, body, [0.0], queue))
with tf.Session() as sess:
    sess.run(queue.initializer)
    sess.run(tf.global_variables_initializer())
    sess.run(out)
