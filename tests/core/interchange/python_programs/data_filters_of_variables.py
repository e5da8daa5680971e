# {"classes": ["InputLayer", "Conv2D", "TFOpLambda", "MaxPooling2D", "Conv2D", "TFOpLambda", "MaxPooling2D", "TFOpLambda", "Dense", "TFOpLambda", "Dropout", "Dense"], "steps_per_epoch": 90, "config": [1, "use_bias", true]}
import tensorflow.compat.v1 as tf
tf.disable_v2_behavior()
from tensorflow.python import ipu
import numpy as np
def weight(name, shape):
    return tf.get_variable(name, shape, initializer=tf.truncated_normal_initializer(stddev=0.1))
def bias(name, n):
    return tf.get_variable(name, [n], initializer=tf.constant_initializer(0.1))
ds = tf.data.Dataset.from_tensor_slices((np.zeros((600, 28, 28, 1), np.float32), np.zeros((600,), np.int32))).repeat().batch(20, drop_remainder=True)
infeed = ipu.ipu_infeed_queue.IPUInfeedQueue(ds)
outfeed = ipu.ipu_outfeed_queue.IPUOutfeedQueue()
def body(x, y):
    with tf.variable_scope("cnn", use_resource=True):
        h = tf.nn.relu(tf.nn.conv2d(x, weight("w1", [5, 5, 1, 32]), strides=[1, 1, 1, 1], padding="SAME") + bias("b1", 32))
        h = tf.nn.max_pool(h, ksize=[1, 2, 2, 1], strides=[1, 2, 2, 1], padding="SAME")
        h = tf.nn.bias_add(tf.nn.conv2d(h, weight("w2", [5, 5, 32, 64]), [1, 1, 1, 1], "SAME"), bias("b2", 64))
        h = tf.nn.max_pool(tf.nn.relu(h), ksize=[1, 2, 2, 1], strides=[1, 2, 2, 1], padding="SAME")
        h = tf.reshape(h, [-1, 7 * 7 * 64])
        h = tf.nn.relu(tf.matmul(h, weight("w3", [7 * 7 * 64, 256])) + bias("b3", 256))
        h = tf.nn.dropout(h, rate=0.5)
        logits = tf.matmul(h, weight("w4", [256, 10])) + bias("b4", 10)
    loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels=y, logits=logits))
    lr = tf.train.exponential_decay(0.1, tf.train.get_or_create_global_step(), 100, 0.96, staircase=True)
    train = tf.train.GradientDescentOptimizer(lr).minimize(loss)
    with tf.control_dependencies([train]):
        return outfeed.enqueue(loss)
with ipu.scopes.ipu_scope("/device:IPU:0"):
    op = ipu.ipu_compiler.compile(lambda: ipu.loops.repeat(30, body, infeed_queue=infeed))
cfg = ipu.config.IPUConfig(); cfg.auto_select_ipus = 1; cfg.configure_ipu_system()
with tf.Session() as s:
    s.run(tf.global_variables_initializer()); s.run(infeed.initializer)
    for _ in range(3): s.run(op)
