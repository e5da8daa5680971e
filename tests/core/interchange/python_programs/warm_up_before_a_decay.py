# {"optimizer": "Adam", "config": [1, "units", 10]}
import numpy as np
import tensorflow.compat.v1 as tf
from tensorflow.python import ipu
tf.disable_v2_behavior()
x = np.zeros((64, 8), np.float32)
y = np.zeros((64,), np.int32)
ds = tf.data.Dataset.from_tensor_slices((x, y)).batch(8, drop_remainder=True).repeat()
infeed = ipu.ipu_infeed_queue.IPUInfeedQueue(ds)
outfeed = ipu.ipu_outfeed_queue.IPUOutfeedQueue()
def body(a, b):
    logits = tf.layers.dense(a, 10)
    loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels=b, logits=logits))
    step = tf.train.get_or_create_global_step()
    learning_rate = tf.constant(value=5e-5, shape=[], dtype=tf.float32)
    learning_rate = tf.train.polynomial_decay(learning_rate, step, 1000, end_learning_rate=0.0, power=1.0, cycle=False)
    global_steps_int = tf.cast(step, tf.int32)
    warmup_steps_int = tf.constant(100, dtype=tf.int32)
    global_steps_float = tf.cast(global_steps_int, tf.float32)
    warmup_steps_float = tf.cast(warmup_steps_int, tf.float32)
    warmup_percent_done = global_steps_float / warmup_steps_float
    warmup_learning_rate = 5e-5 * warmup_percent_done
    is_warmup = tf.cast(global_steps_int < warmup_steps_int, tf.float32)
    learning_rate = ((1.0 - is_warmup) * learning_rate + is_warmup * warmup_learning_rate)
    train = tf.train.AdamOptimizer(learning_rate).minimize(loss, global_step=step)
    with tf.control_dependencies([train]):
        return outfeed.enqueue(loss)
def loop():
    return ipu.loops.repeat(10, body, infeed_queue=infeed)
with ipu.scopes.ipu_scope("/device:IPU:0"):
    run = ipu.ipu_compiler.compile(loop)
cfg = ipu.config.IPUConfig(); cfg.auto_select_ipus = 1; cfg.configure_ipu_system()
with tf.Session() as s:
    s.run(tf.global_variables_initializer()); s.run(infeed.initializer); s.run(run)
