# {"average_replica_gradients": true, "optimizer_config": {"learning_rate": 0.01, "momentum": 0.9, "unscaled_momentum": true, "gradient_decay": 0.0005}}
import numpy as np
import tensorflow.compat.v1 as tf
from tensorflow.python import ipu
from tensorflow.python.ipu.optimizers import IpuOptimizer, CrossReplicaOptimizer
tf.disable_v2_behavior()
class Decay(IpuOptimizer):
    def __init__(self, opt, rate):
        super(Decay, self).__init__(opt, name="Decay")
        self.rate = rate
    def compute_gradients(self, loss, var_list=None, **kwargs):
        pairs = super(Decay, self).compute_gradients(loss, var_list=var_list, **kwargs)
        return [(g + self.rate * v, v) for g, v in pairs]
class Noisy(IpuOptimizer):
    def apply_gradients(self, grads_and_vars, global_step=None, name=None):
        noisy = [(tf.clip_by_value(g, -0.5, 0.5), v) for g, v in grads_and_vars if g is not None]
        return self._optimizer.apply_gradients(noisy, global_step=global_step, name=name)
ds = tf.data.Dataset.from_tensor_slices((np.random.rand(320, 6).astype(np.float32), np.random.rand(320, 1).astype(np.float32))).batch(8, drop_remainder=True).repeat()
q = ipu.ipu_infeed_queue.IPUInfeedQueue(ds)
def body(loss, x, y):
    with tf.variable_scope("n", use_resource=True):
        p = tf.layers.dense(tf.layers.dense(x, 12, tf.nn.relu), 1)
    loss = tf.losses.mean_squared_error(y, p)
    opt = CrossReplicaOptimizer(Decay(tf.train.MomentumOptimizer(0.01, 0.9), 5e-4))
    train = opt.minimize(loss)
    with tf.control_dependencies([train]): return tf.identity(loss)
def net(): return ipu.loops.repeat(16, body, [0.0], q)
with ipu.scopes.ipu_scope("/device:IPU:0"): r = ipu.ipu_compiler.compile(net)
cfg = ipu.config.IPUConfig(); cfg.auto_select_ipus = 2; cfg.configure_ipu_system()
with tf.Session() as s:
    s.run(tf.global_variables_initializer()); s.run(q.initializer); s.run(r)
