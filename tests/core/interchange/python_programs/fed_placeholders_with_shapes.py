# {"batch": 50, "optimizer": "SGD", "optimizer_config": {"learning_rate": 0.05}, "parameters": 84060, "loss": "CategoricalCrossentropy"}
import numpy as np
import tensorflow.compat.v1 as tf
from tensorflow.python import ipu

tf.disable_v2_behavior()
x_train = np.zeros((600, 784), np.float32)
y_train = np.zeros((600, 10), np.float32)
with tf.device("cpu"):
    images = tf.placeholder(np.float32, [50, 784], name="images")
    labels = tf.placeholder(np.float32, [50, 10], name="labels")
    rate = tf.placeholder(np.float32, [], name="rate")


def dense(x, units, name, activation=None):
    with tf.variable_scope(name, reuse=tf.AUTO_REUSE, use_resource=True):
        w = tf.get_variable("w", [x.shape[1], units])
        b = tf.get_variable("b", [units], initializer=tf.zeros_initializer())
    y = tf.matmul(x, w) + b
    return activation(y) if activation else y


def train_step(x, y, lr):
    h = dense(x, 100, "h1", tf.nn.relu)
    h = dense(h, 50, "h2", tf.nn.relu)
    logits = dense(h, 10, "out")
    loss = tf.reduce_mean(tf.nn.softmax_cross_entropy_with_logits_v2(labels=y, logits=logits))
    return loss, tf.train.GradientDescentOptimizer(lr).minimize(loss)


with ipu.scopes.ipu_scope("/device:IPU:0"):
    step = ipu.ipu_compiler.compile(train_step, inputs=[images, labels, rate])
config = ipu.config.IPUConfig()
config.auto_select_ipus = 1
config.configure_ipu_system()
with tf.Session() as session:
    session.run(tf.global_variables_initializer())
    for i in range(12):
        rows = np.arange(i * 50, i * 50 + 50)
        session.run(step, feed_dict={images: x_train[rows], labels: y_train[rows], rate: 0.05})
