# {"optimizer": "LossScaleOptimizer", "optimizer_config": {"inner_optimizer": {"class_name": "SGD", "config": {"learning_rate": {"class_name": "PiecewiseConstantDecay", "config": {"boundaries": [15, 31, 47], "values": [0.1, 0.05, 0.03333333333333333, 0.025]}}, "momentum": 0.9, "unscaled_momentum": true}}, "dynamic": false, "initial_scale": 64.0}}
import numpy as np
import tensorflow.compat.v1 as tf
from tensorflow.python import ipu
tf.disable_v2_behavior()
LS = 64.0
ds = tf.data.Dataset.from_tensor_slices((np.random.rand(320, 6).astype(np.float16), np.random.rand(320, 1).astype(np.float16))).batch(8, drop_remainder=True).repeat()
q = ipu.ipu_infeed_queue.IPUInfeedQueue(ds)
def body(loss, lr, x, y):
    with tf.variable_scope("n", use_resource=True):
        p = tf.layers.dense(tf.layers.dense(x, 12, tf.nn.relu), 1)
    l = tf.losses.mean_squared_error(y, p)
    opt = tf.train.MomentumOptimizer(lr, 0.9)
    gv = opt.compute_gradients(l * LS)
    gv = [(g / LS, v) for g, v in gv]
    train = opt.apply_gradients(gv)
    with tf.control_dependencies([train]): return tf.identity(l), lr
def net(lr): return ipu.loops.repeat(16, body, [tf.constant(0.0, tf.float16), lr], q)
with tf.device("cpu"): lr = tf.placeholder(tf.float16, [])
with ipu.scopes.ipu_scope("/device:IPU:0"): r = ipu.ipu_compiler.compile(net, [lr])
cfg = ipu.config.IPUConfig(); cfg.auto_select_ipus = 1; cfg.configure_ipu_system()
with tf.Session() as s:
    s.run(tf.global_variables_initializer()); s.run(q.initializer); 
    for i in range(4): s.run(r, {lr: 0.1 / (1 + i)})
