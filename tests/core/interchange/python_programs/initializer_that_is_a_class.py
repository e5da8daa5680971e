# {"config": [1, "bias_initializer", {"class_name": "Ones", "config": {}}], "no_warning": "python/ignored"}
import tensorflow.compat.v1 as tf
from tensorflow.python import ipu

dataset = tf.data.Dataset.from_tensor_slices((tf.zeros((64, 8)), tf.zeros((64, 3)))).batch(4, drop_remainder=True).repeat()
queue = ipu.ipu_infeed_queue.IPUInfeedQueue(dataset)


def body(x, y):
    h = tf.layers.dense(x, 3, bias_initializer=tf.ones_initializer)
    b = tf.get_variable("b", shape=[3], initializer=tf.zeros_initializer)
    return tf.train.GradientDescentOptimizer(0.1).minimize(tf.losses.mean_squared_error(y, h + b))


with ipu.scopes.ipu_scope("/device:IPU:0"):
    train = ipu.ipu_compiler.compile(lambda: ipu.loops.repeat(16, body, infeed_queue=queue))
with tf.Session() as session:
    session.run(train)
