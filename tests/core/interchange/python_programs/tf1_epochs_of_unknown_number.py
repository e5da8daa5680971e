# {"steps_per_epoch": 20, "epochs": 1, "warning": "python/unknown-samples"}
import numpy as np
import tensorflow.compat.v1 as tf
from tensorflow.python import ipu
tf.disable_v2_behavior()
data = np.load("housing.npz")
x_train, y_train = data["x"].astype(np.float32), data["y"].astype(np.float32)
def net(x, y):
    loss = tf.losses.mean_squared_error(labels=y, predictions=tf.layers.dense(x, 1))
    with tf.control_dependencies([tf.train.RMSPropOptimizer(1e-3).minimize(loss)]):
        return tf.identity(loss)
x = tf.placeholder(tf.float32, [32, 8])
y = tf.placeholder(tf.float32, [32, 1])
with ipu.scopes.ipu_scope("/device:IPU:0"):
    train = ipu.ipu_compiler.compile(net, [x, y])
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for epoch in range(len(x_train)):
        for i in range(20):
            sess.run(train, {x: x_train[i * 32:(i + 1) * 32], y: y_train[i * 32:(i + 1) * 32]})
