# {"classes": ["InputLayer", "TFOpLambda", "DepthwiseConv2D", "SeparableConv2D", "Conv2DTranspose", "Flatten", "Dense"], "parameters": 658}
import numpy as np
import tensorflow.compat.v1 as tf
from tensorflow.python import ipu
tf.disable_v2_behavior()
x = np.zeros((64, 8), np.float32)
y = np.zeros((64,), np.int32)
ds = tf.data.Dataset.from_tensor_slices((x, y)).batch(8, drop_remainder=True).repeat()
infeed = ipu.ipu_infeed_queue.IPUInfeedQueue(ds)
outfeed = ipu.ipu_outfeed_queue.IPUOutfeedQueue()
def body(a, b):
    img = tf.reshape(a, [8, 2, 2, 2])
    w = tf.get_variable("w", [3, 3, 2, 2])
    h = tf.nn.depthwise_conv2d(img, w, [1, 1, 1, 1], "SAME")
    pw = tf.get_variable("pw", [1, 1, 4, 6])
    dw = tf.get_variable("dw", [3, 3, 4, 1])
    h = tf.nn.separable_conv2d(h, dw, pw, [1, 1, 1, 1], "SAME")
    tw = tf.get_variable("tw", [2, 2, 3, 6])
    h = tf.nn.conv2d_transpose(h, tw, [8, 4, 4, 3], [1, 2, 2, 1], "SAME")
    logits = tf.layers.dense(tf.layers.flatten(h), 10)
    loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels=b, logits=logits))
    train = tf.train.GradientDescentOptimizer(0.1).minimize(loss)
    with tf.control_dependencies([train]):
        return outfeed.enqueue(loss)
def loop():
    return ipu.loops.repeat(10, body, infeed_queue=infeed)
with ipu.scopes.ipu_scope("/device:IPU:0"):
    run = ipu.ipu_compiler.compile(loop)
cfg = ipu.config.IPUConfig(); cfg.auto_select_ipus = 1; cfg.configure_ipu_system()
with tf.Session() as s:
    s.run(tf.global_variables_initializer()); s.run(infeed.initializer); s.run(run)
