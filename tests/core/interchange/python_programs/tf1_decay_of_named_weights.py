# {"config": [1, "kernel_regularizer", {"class_name": "L2", "config": {"l2": 0.05}}], "trainable": 314}
import numpy as np
import tensorflow.compat.v1 as tf
from tensorflow.python import ipu
tf.disable_v2_behavior()
with tf.device("cpu"):
    x = tf.placeholder(tf.float32, [8, 8])
    y = tf.placeholder(tf.int32, [8])
def net(x, y):
    with tf.variable_scope("encoder"):
        h = tf.layers.dense(x, 16, tf.nn.relu)
    with tf.variable_scope("head"):
        logits = tf.layers.dense(h, 10)
    loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels=y, logits=logits))
    decayed = [v for v in tf.trainable_variables() if v.name.startswith("encoder/") and "bias" not in v.name]
    loss += 0.1 * tf.add_n([tf.nn.l2_loss(v) for v in decayed])
    return loss, tf.train.GradientDescentOptimizer(0.1).minimize(loss, var_list=tf.trainable_variables())
with ipu.scopes.ipu_scope("/device:IPU:0"):
    run = ipu.ipu_compiler.compile(net, [x, y])
cfg = ipu.config.IPUConfig()
cfg.auto_select_ipus = 1
cfg.configure_ipu_system()
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for _ in range(10):
        sess.run(run, feed_dict={x: np.zeros((8, 8)), y: np.zeros(8)})
