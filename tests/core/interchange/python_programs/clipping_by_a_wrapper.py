# {"optimizer": "SGD", "optimizer_config": {"learning_rate": 0.01, "momentum": 0.9, "unscaled_momentum": true, "global_clipnorm": 1.0}, "no_warning": "python/ignored"}
"""A custom wrapper for IPU optimizers: clip by global norm before the update."""
import numpy as np
import tensorflow.compat.v1 as tf
from tensorflow.python import ipu
from tensorflow.python.ipu.optimizers import IpuOptimizer

tf.disable_v2_behavior()


class ClippingOptimizer(IpuOptimizer):
    def __init__(self, opt, clip_norm, name="ClippingOptimizer"):
        super().__init__(opt, name=name)
        self._clip_norm = clip_norm

    def apply_gradients(self, grads_and_vars, global_step=None, name=None):
        grads, variables = zip(*grads_and_vars)
        grads, _ = tf.clip_by_global_norm(list(grads), self._clip_norm)
        return super().apply_gradients(zip(grads, variables), global_step, name)


BATCH, STEPS_IN, SENSORS = 32, 48, 12

series = np.random.randn(5000, STEPS_IN, SENSORS).astype(np.float32)
target = np.random.randn(5000, 1).astype(np.float32)
ds = tf.data.Dataset.from_tensor_slices((series, target))
ds = ds.repeat().batch(BATCH, drop_remainder=True)
infeed = ipu.ipu_infeed_queue.IPUInfeedQueue(ds)
outfeed = ipu.ipu_outfeed_queue.IPUOutfeedQueue()


def forecast(x):
    x = tf.transpose(x, [1, 0, 2])
    outputs, _ = ipu.rnn_ops.PopnnLSTM(64, dtype=tf.float32)(x, training=True)
    return tf.layers.dense(outputs[-1], 1)


def body(x, y):
    with tf.variable_scope("forecast", use_resource=True):
        prediction = forecast(x)
        loss = tf.losses.mean_squared_error(labels=y, predictions=prediction)
        opt = ClippingOptimizer(tf.train.MomentumOptimizer(0.01, 0.9), clip_norm=1.0)
        train = opt.minimize(loss)
    return tf.group(train, outfeed.enqueue(loss))


def net():
    return ipu.loops.repeat(50, body, infeed_queue=infeed)


with ipu.scopes.ipu_scope("/device:IPU:0"):
    compiled = ipu.ipu_compiler.compile(net)

cfg = ipu.config.IPUConfig()
cfg.auto_select_ipus = 1
cfg.configure_ipu_system()

with tf.Session() as sess:
    sess.run(infeed.initializer)
    sess.run(tf.global_variables_initializer())
    for i in range(6):
        sess.run(compiled)
        print(np.mean(sess.run(outfeed.dequeue())))
