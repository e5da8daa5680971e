# {"classes": ["InputLayer", "Dense", "Dense"], "batch": 16, "steps_per_execution": 1, "steps_per_epoch": 10, "optimizer": "SGD", "loss": "MeanSquaredError"}
import numpy as np
import tensorflow.compat.v1 as tf
from tensorflow.python import ipu
from tensorflow.python.ipu import ipu_compiler, scopes

tf.disable_v2_behavior()
cfg = ipu.config.IPUConfig()
cfg.auto_select_ipus = 1
cfg.configure_ipu_system()
x = tf.placeholder(np.float32, [16, 64])
y = tf.placeholder(np.float32, [16, 1])

def graph(x, y):
    out = tf.layers.dense(tf.layers.dense(x, 256, activation=tf.nn.relu), 1)
    loss = tf.losses.mean_squared_error(y, out)
    return loss, tf.train.GradientDescentOptimizer(0.001).minimize(loss)

with scopes.ipu_scope("/device:IPU:0"):
    out = ipu_compiler.compile(graph, [x, y])
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for _ in range(10):
        print(sess.run(out, {x: np.random.rand(16, 64), y: np.random.rand(16, 1)}))
