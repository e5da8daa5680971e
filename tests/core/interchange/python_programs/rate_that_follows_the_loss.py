# {"error": "python/value", "says": "only a run knows"}
import tensorflow.compat.v1 as tf
from tensorflow.python import ipu

dataset = tf.data.Dataset.from_tensor_slices((tf.zeros((64, 8)), tf.zeros((64, 3)))).batch(4, drop_remainder=True).repeat()
queue = ipu.ipu_infeed_queue.IPUInfeedQueue(dataset)


def body(x, y):
    loss = tf.losses.mean_squared_error(y, tf.layers.dense(x, 3))
    return tf.train.GradientDescentOptimizer(0.1 if loss > 1.0 else 0.01).minimize(loss)


with ipu.scopes.ipu_scope("/device:IPU:0"):
    train = ipu.ipu_compiler.compile(lambda: ipu.loops.repeat(16, body, infeed_queue=queue))
with tf.Session() as session:
    session.run(train)
