# {"classes": ["InputLayer", "TFOpLambda", "PopnnLSTM", "SlicingOpLambda"], "input": [8, 50, 64], "batch": 8, "optimizer": "RMSprop", "no_warning": "python/approximated"}
import tensorflow.compat.v1 as tf
from tensorflow.python import ipu
from tensorflow.python.ipu.ops import rnn_ops
T, B, F, H = 50, 8, 64, 96
data = tf.data.Dataset.from_tensors((tf.zeros([T, B, F]), tf.zeros([B, H]))).repeat()
infeed = ipu.ipu_infeed_queue.IPUInfeedQueue(data)
outfeed = ipu.ipu_outfeed_queue.IPUOutfeedQueue()
def step(x, y):
    outputs, state = rnn_ops.PopnnLSTM(num_units=H, dtype=tf.float32)(x, training=True)
    loss = tf.reduce_mean(tf.square(outputs[-1] - y))
    return outfeed.enqueue(loss), tf.train.RMSPropOptimizer(0.001).minimize(loss)
def net():
    return ipu.loops.repeat(20, step, infeed_queue=infeed)
with ipu.scopes.ipu_scope("/device:IPU:0"):
    out = ipu.ipu_compiler.compile(net, inputs=[])
