# {"batch": 8, "steps_per_execution": 8, "losses": [["math.subtract", "square", "reduce_mean"]]}
import numpy as np
import tensorflow.compat.v1 as tf
from tensorflow.python import ipu
x = np.random.RandomState(0).rand(64, 4).astype(np.float32)
y = np.random.RandomState(1).rand(64).astype(np.float32)
infeed = ipu.ipu_infeed_queue.IPUInfeedQueue(tf.data.Dataset.from_tensor_slices((x, y)).batch(8, drop_remainder=True).repeat())
def body(a, b):
    p = tf.squeeze(tf.layers.dense(a, 1), 1)
    return tf.train.GradientDescentOptimizer(0.1).minimize(tf.reduce_mean(tf.square(p - b)))
with ipu.scopes.ipu_scope("/device:IPU:0"):
    r = ipu.ipu_compiler.compile(lambda: ipu.loops.repeat(8, body, [], infeed))
cfg = ipu.utils.auto_select_ipus(ipu.utils.create_ipu_config(), 1)
ipu.utils.configure_ipu_system(cfg)
with tf.Session() as s:
    s.run(infeed.initializer)
    s.run(tf.global_variables_initializer())
    s.run(r)
