# {"classes": ["InputLayer", "Dense", "Dense"], "input": [8, 12], "steps_per_epoch": 25, "steps_per_execution": 25, "batch": 8, "optimizer": "SGD", "loss": "SparseCategoricalCrossentropy", "outfeed_mode": "LAST"}
import tensorflow as tf
from tensorflow import keras
from tensorflow.python import ipu

import tensorflow.compat.v1 as tf
from tensorflow.python.ipu import loops, ipu_compiler, scopes
tf.disable_v2_behavior()
ds = tf.data.Dataset.from_tensor_slices((tf.zeros([64, 12]), tf.zeros([64], tf.int32))).batch(8, drop_remainder=True).repeat()
infeed = ipu.ipu_infeed_queue.IPUInfeedQueue(ds)
outfeed = ipu.ipu_outfeed_queue.IPUOutfeedQueue(outfeed_mode=ipu.ipu_outfeed_queue.IPUOutfeedMode.LAST)
def body(x, y):
    logits = tf.keras.layers.Dense(4)(tf.keras.layers.Dense(16, activation=tf.nn.relu)(x))
    loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels=y, logits=logits))
    train = tf.train.MomentumOptimizer(0.05, 0.9).minimize(loss)
    with tf.control_dependencies([train]):
        return outfeed.enqueue(loss)
def net():
    return loops.repeat(25, body, infeed_queue=infeed)
with scopes.ipu_scope("/device:IPU:0"):
    run_loop = ipu_compiler.compile(net, inputs=[])
cfg = ipu.config.IPUConfig()
cfg.auto_select_ipus = 1
cfg.configure_ipu_system()
with tf.Session() as sess:
    sess.run(infeed.initializer)
    sess.run(tf.global_variables_initializer())
    sess.run(run_loop)
