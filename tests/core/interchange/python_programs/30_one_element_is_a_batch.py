# {"batch": 12, "steps_per_epoch": 5, "warning": "python/dataset", "says": "there is no folder to store them in"}
import numpy as np
import tensorflow.compat.v1 as tf
from tensorflow.python import ipu

x, y = np.ones((12, 4), np.float32), np.zeros((12, 1), np.float32)
infeed = ipu.ipu_infeed_queue.IPUInfeedQueue(tf.data.Dataset.from_tensors((x, y)).repeat())


def body(a, b):
    loss = tf.losses.mean_squared_error(b, tf.layers.dense(a, 1))
    return tf.train.GradientDescentOptimizer(0.1).minimize(loss)


with ipu.scopes.ipu_scope("/device:IPU:0"):
    r = ipu.ipu_compiler.compile(lambda: ipu.loops.repeat(5, body, [], infeed))
config = ipu.config.IPUConfig()
config.auto_select_ipus = 1
config.configure_ipu_system()
with tf.Session() as session:
    session.run(infeed.initializer)
    session.run(tf.global_variables_initializer())
    session.run(r)
