# {"optimizer": "SGD", "optimizer_config": {"learning_rate": 0.1}, "trainable": 192}
import numpy as np, tensorflow.compat.v1 as tf
from tensorflow.python import ipu
tf.disable_v2_behavior()
ds = tf.data.Dataset.from_tensor_slices((np.zeros((64, 8), np.float32), np.zeros((64, 4), np.float32))).repeat().batch(4, drop_remainder=True)
infeed = ipu.ipu_infeed_queue.IPUInfeedQueue(ds)
outfeed = ipu.ipu_outfeed_queue.IPUOutfeedQueue()
def body(x, y):
    w1 = tf.get_variable("w1", [8, 16])
    w2 = tf.get_variable("w2", [16, 4])
    h = tf.nn.relu(tf.matmul(x, w1))
    p = tf.matmul(h, w2)
    loss = tf.reduce_mean(tf.square(p - y))
    loss2 = tf.reduce_mean(tf.abs(p - y))
    g = tf.gradients(loss, tf.trainable_variables())
    ops = [tf.assign(v, tf.subtract(v, tf.multiply(0.1, d))) for v, d in zip(tf.trainable_variables(), g)]
    with tf.control_dependencies(ops):
        return outfeed.enqueue(loss)
with ipu.scopes.ipu_scope("/device:IPU:0"):
    op = ipu.ipu_compiler.compile(lambda: ipu.loops.repeat(16, body, infeed_queue=infeed))
cfg = ipu.config.IPUConfig()
cfg.auto_select_ipus = 1
cfg.configure_ipu_system()
with tf.Session() as sess:
    sess.run([tf.global_variables_initializer(), infeed.initializer])
    sess.run(op)
