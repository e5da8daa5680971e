# {"parameters": 9, "loss": "Huber"}
import tensorflow.compat.v1 as tf
from tensorflow.python import ipu

queue = ipu.ipu_infeed_queue.IPUInfeedQueue(tf.data.Dataset.from_tensors((tf.ones([4, 8]), tf.ones([4, 1]))).repeat())


def body(x, y):
    return tf.train.GradientDescentOptimizer(0.1).minimize(tf.losses.huber_loss(y, tf.layers.dense(x, 1)))


with ipu.scopes.ipu_scope("/device:IPU:0"):
    run = ipu.ipu_compiler.compile(lambda: ipu.loops.repeat(10, body, infeed_queue=queue), [])
