# {"stages": 2, "no_warning": "python/ignored", "optimizer_config": {"learning_rate": 0.03, "momentum": 0.7, "unscaled_momentum": true}}
import numpy as np
import tensorflow.compat.v1 as tf
from tensorflow.python import ipu
from tensorflow.python.ipu import pipelining_ops, ipu_infeed_queue, ipu_outfeed_queue
ds = tf.data.Dataset.from_tensor_slices((np.random.rand(64, 12).astype(np.float32), np.random.randint(0, 3, 64).astype(np.int32)))
ds = ds.repeat().batch(4, drop_remainder=True)
iq = ipu_infeed_queue.IPUInfeedQueue(ds)
oq = ipu_outfeed_queue.IPUOutfeedQueue()
def s0(lr, m, x, y):
    return lr, m, tf.keras.layers.Dense(16, activation="relu")(x), y
def s1(lr, m, x, y):
    return lr, m, tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels=y, logits=tf.keras.layers.Dense(3)(x)))
def opt(lr, m, loss):
    return pipelining_ops.OptimizerFunctionOutput(tf.train.MomentumOptimizer(lr, m), loss, compute_gradients_kwargs={})
def net(lr, m):
    return pipelining_ops.pipeline([s0, s1], gradient_accumulation_count=8, inputs=[lr, m], infeed_queue=iq, outfeed_queue=oq, optimizer_function=opt, outfeed_mask=[True, True, False])
with tf.device("cpu"):
    lr = tf.placeholder(tf.float32, [])
    m = tf.placeholder_with_default(0.7, [])
with ipu.scopes.ipu_scope("/device:IPU:0"):
    op = ipu.ipu_compiler.compile(net, inputs=[lr, m])
cfg = ipu.config.IPUConfig()
cfg.auto_select_ipus = 2
cfg.configure_ipu_system()
with tf.Session() as sess:
    sess.run(iq.initializer)
    sess.run(tf.global_variables_initializer())
    for _ in range(2):
        sess.run(op, {lr: 0.03})
