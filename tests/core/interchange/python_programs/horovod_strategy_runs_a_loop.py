# {"steps_per_epoch": 70, "parameters": 97, "optimizer": "SGD"}
import numpy as np
import tensorflow as tf
from tensorflow.python import ipu
from tensorflow.python.ipu import horovod as hvd
tf.compat.v1.disable_v2_behavior()
hvd.init()
strategy = ipu.horovod.ipu_horovod_strategy.IPUHorovodStrategy()
cfg = ipu.utils.create_ipu_config()
cfg = ipu.utils.auto_select_ipus(cfg, 1)
ipu.utils.configure_ipu_system(cfg)
ds = tf.data.Dataset.from_tensor_slices((np.random.rand(320, 6).astype(np.float32), np.random.rand(320, 1).astype(np.float32))).batch(8, drop_remainder=True).repeat()
with strategy.scope():
    q = ipu.ipu_infeed_queue.IPUInfeedQueue(ds, feed_name="in")
    o = ipu.ipu_outfeed_queue.IPUOutfeedQueue(feed_name="out")
    def step(x, y):
        p = tf.keras.layers.Dense(12, activation="relu")(x)
        p = tf.keras.layers.Dense(1)(p)
        loss = tf.reduce_mean(tf.square(p - y))
        train = tf.compat.v1.train.GradientDescentOptimizer(0.05).minimize(loss)
        return tf.group(train, o.enqueue(loss))
    def loop():
        return ipu.loops.repeat(10, step, infeed_queue=q)
    def compiled():
        with ipu.scopes.ipu_scope("/device:IPU:0"):
            return ipu.ipu_compiler.compile(loop)
    op = strategy.experimental_run_v2(compiled)
    with tf.compat.v1.Session() as sess:
        sess.run(q.initializer)
        sess.run(tf.compat.v1.global_variables_initializer())
        for _ in range(7):
            sess.run(op)
