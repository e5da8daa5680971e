# {"config": [2, "kernel_initializer", {"class_name": "GlorotUniform", "config": {"seed": 3}}]}
import numpy as np
import tensorflow.compat.v1 as tf
from tensorflow.python import ipu

r = np.random.RandomState(0)
dataset = tf.data.Dataset.from_tensor_slices((r.rand(160, 12, 6).astype(np.float32), r.rand(160, 1).astype(np.float32)))
queue = ipu.ipu_infeed_queue.IPUInfeedQueue(dataset.batch(4, drop_remainder=True).repeat())
outfeed = ipu.ipu_outfeed_queue.IPUOutfeedQueue()


def body(x, y):
    lstm = ipu.rnn_ops.PopnnLSTM(10, seed=3)
    state = tf.nn.rnn_cell.LSTMStateTuple(tf.zeros([4, 10]), tf.zeros([4, 10]))
    _, (c, h) = lstm(tf.transpose(x, [1, 0, 2]), initial_state=state)
    loss = tf.losses.mean_squared_error(y, tf.layers.dense(h, 1))
    return tf.train.GradientDescentOptimizer(0.1).minimize(loss)


with ipu.scopes.ipu_scope("/device:IPU:0"):
    train = ipu.ipu_compiler.compile(lambda: ipu.loops.repeat(10, body, infeed_queue=queue))
with tf.Session() as session:
    for epoch in range(3):
        session.run(train)
