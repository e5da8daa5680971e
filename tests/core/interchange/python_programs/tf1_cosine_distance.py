# {"loss": "LossFunction", "batch": 16}
import numpy as np
import tensorflow.compat.v1 as tf
from tensorflow.python import ipu
tf.disable_eager_execution()
with tf.device("cpu"):
    px = tf.placeholder(tf.float32, [16, 8])
    py = tf.placeholder(tf.float32, [16, 1])


def train(x, y):
    loss = tf.losses.cosine_distance(y, tf.layers.dense(x, 1), axis=-1)
    return loss, tf.train.AdamOptimizer(0.002).minimize(loss)


with ipu.scopes.ipu_scope("/device:IPU:0"):
    step = ipu.ipu_compiler.compile(train, inputs=[px, py])
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for i in range(10):
        sess.run(step, {px: np.zeros((16, 8)), py: np.zeros((16, 1))})
