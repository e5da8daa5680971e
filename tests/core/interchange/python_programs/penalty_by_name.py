# {"config": [1, "kernel_regularizer", {"class_name": "L2", "config": {"l2": 0.005}}], "loss": "SparseCategoricalCrossentropy", "optimizer": "SGD"}
import numpy as np
import tensorflow.compat.v1 as tf
from tensorflow.python import ipu

tf.disable_v2_behavior()
images = np.zeros((64, 8, 8, 1), np.float32)
labels = np.zeros((64,), np.int32)
data = tf.data.Dataset.from_tensor_slices((images, labels)).repeat().batch(4, drop_remainder=True)
infeed = ipu.ipu_infeed_queue.IPUInfeedQueue(data)


def body(x, y):
    with tf.variable_scope("conv"):
        kernel = tf.get_variable("kernel", [3, 3, 1, 6])
        bias = tf.get_variable("bias", [6], initializer=tf.zeros_initializer())
    x = tf.nn.relu(tf.nn.conv2d(x, kernel, [1, 1, 1, 1], padding="SAME") + bias)
    logits = tf.layers.dense(tf.reduce_mean(x, axis=[1, 2]), 10)
    loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels=y, logits=logits))
    penalty = 0.0
    for weight in tf.trainable_variables():
        if "bias" in weight.name or len(weight.shape) < 2:
            continue
        penalty += tf.reduce_sum(weight ** 2)
    total = loss + 0.01 * penalty / 2
    return tf.train.GradientDescentOptimizer(0.1).minimize(total)


def loop():
    return ipu.loops.repeat(16, body, [], infeed)


with ipu.scopes.ipu_scope("/device:IPU:0"):
    compiled = ipu.ipu_compiler.compile(loop, inputs=[])
cfg = ipu.utils.create_ipu_config()
cfg = ipu.utils.auto_select_ipus(cfg, 1)
ipu.utils.configure_ipu_system(cfg)
with tf.Session() as session:
    session.run(infeed.initializer)
    session.run(compiled)
