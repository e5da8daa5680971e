# {"error": "value-error/unsupported-argument", "line": 10, "says": "use tanh, relu, softmax, sigmoid or hard_sigmoid"}
import numpy as np
import tensorflow.compat.v1 as tf
from tensorflow.python import ipu

infeed = ipu.ipu_infeed_queue.IPUInfeedQueue(tf.data.Dataset.from_tensors(np.ones((10, 4, 6), np.float32)).repeat())


def body(sequence):
    output, state = ipu.rnn_ops.PopnnGRU(8, activation="linear")(sequence)
    return tf.train.GradientDescentOptimizer(0.1).minimize(tf.reduce_mean(tf.square(state)))


with ipu.scopes.ipu_scope("/device:IPU:0"):
    r = ipu.ipu_compiler.compile(lambda: ipu.loops.repeat(5, body, [], infeed))
with tf.Session() as session:
    session.run(infeed.initializer)
    session.run(tf.global_variables_initializer())
    session.run(r)
