# {"optimizer": "SGD", "optimizer_config": {"learning_rate": 0.1, "global_clipnorm": 5.0}, "loss": "SparseCategoricalCrossentropy", "batch": 8, "steps_per_execution": 10}
import numpy as np
import tensorflow.compat.v1 as tf
from tensorflow.python import ipu
tf.disable_v2_behavior()
ds = tf.data.Dataset.from_tensor_slices((np.ones((64, 4), np.float32), np.ones((64,), np.int32)))
infeed = ipu.ipu_infeed_queue.IPUInfeedQueue(ds.repeat().batch(8, drop_remainder=True))
outfeed = ipu.ipu_outfeed_queue.IPUOutfeedQueue()
def body(x, y):
    logits = tf.layers.dense(x, 3)
    loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels=y, logits=logits))
    opt = tf.train.GradientDescentOptimizer(0.1)
    gradients, variables = zip(*opt.compute_gradients(loss))
    gradients, _ = tf.clip_by_global_norm(gradients, 5.0)
    with tf.control_dependencies([opt.apply_gradients(zip(gradients, variables))]):
        return outfeed.enqueue(loss)
with ipu.scopes.ipu_scope('/device:IPU:0'):
    run = ipu.ipu_compiler.compile(lambda: ipu.loops.repeat(10, body, infeed_queue=infeed), [])
cfg = ipu.config.IPUConfig()
cfg.auto_select_ipus = 1
cfg.configure_ipu_system()
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    sess.run(infeed.initializer)
    sess.run(run)
