# {"classes": ["InputLayer", "Conv2D", "GroupNormalization", "TFOpLambda", "MaxPooling2D", "Conv2D", "GroupNormalization", "TFOpLambda", "TFOpLambda", "Dense"], "steps_per_epoch": 200, "outfeed_mode": "LAST"}
# L2 over weights with TF1 in a loop body + lr from placeholder, exponential decay with global step
import tensorflow.compat.v1 as tf
tf.disable_v2_behavior()
from tensorflow.python import ipu
import numpy as np
x = np.random.rand(512, 32, 32, 3).astype(np.float32); y = np.random.randint(0, 10, 512).astype(np.int32)
ds = tf.data.Dataset.from_tensor_slices((x, y)).repeat().batch(8, drop_remainder=True)
infeed = ipu.ipu_infeed_queue.IPUInfeedQueue(ds)
outfeed = ipu.ipu_outfeed_queue.IPUOutfeedQueue(outfeed_mode=ipu.ipu_outfeed_queue.IPUOutfeedMode.LAST)
def conv(x, f, s=1):
    return tf.layers.conv2d(x, f, 3, s, padding="same", kernel_initializer=tf.variance_scaling_initializer())
def body(x, y):
    with tf.variable_scope("net", use_resource=True):
        h = tf.nn.relu(ipu.normalization_ops.group_norm(conv(x, 32), groups=4))
        h = tf.nn.max_pool2d(h, 2, 2, "SAME")
        h = tf.nn.relu(ipu.normalization_ops.group_norm(conv(h, 64), groups=4))
        h = tf.reduce_mean(h, [1, 2])
        logits = tf.layers.dense(h, 10)
    loss = tf.losses.sparse_softmax_cross_entropy(labels=y, logits=logits)
    lr = tf.train.exponential_decay(0.1, tf.train.get_or_create_global_step(), 100, 0.96)
    opt = tf.train.GradientDescentOptimizer(lr)
    op = opt.minimize(loss)
    with tf.control_dependencies([op]):
        return outfeed.enqueue({"loss": loss})
def net():
    return ipu.loops.repeat(50, body, infeed_queue=infeed)
with ipu.scopes.ipu_scope("/device:IPU:0"):
    compiled = ipu.ipu_compiler.compile(net)
cfg = ipu.config.IPUConfig(); cfg.auto_select_ipus = 1; cfg.configure_ipu_system()
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer()); sess.run(infeed.initializer)
    for e in range(4):
        sess.run(compiled)
