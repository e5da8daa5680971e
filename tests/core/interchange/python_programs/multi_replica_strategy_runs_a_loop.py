# {"steps_per_epoch": 480, "parameters": 71425, "optimizer": "SGD", "no_warning": "python/replicas"}
"""Launched with poprun: every process drives two of the global replicas."""
import numpy as np
import tensorflow.compat.v1 as tf
from tensorflow.python import ipu
from tensorflow.python.ipu.horovod import ipu_multi_replica_strategy

tf.disable_v2_behavior()

LOCAL_REPLICAS = 2
BATCH = 16

strategy = ipu_multi_replica_strategy.IPUMultiReplicaStrategy()

config = ipu.config.IPUConfig()
config.auto_select_ipus = LOCAL_REPLICAS
config = strategy.update_ipu_config(config)
config.configure_ipu_system()


def input_data():
    x = np.random.normal(size=[4096, 20]).astype(np.float32)
    y = np.random.randint(0, 2, size=[4096, 1]).astype(np.float32)
    ds = tf.data.Dataset.from_tensor_slices((x, y)).shuffle(4096)
    return ds.batch(BATCH, drop_remainder=True).repeat()


with strategy.scope():
    infeed_queue = ipu.ipu_infeed_queue.IPUInfeedQueue(input_data())
    outfeed_queue = ipu.ipu_outfeed_queue.IPUOutfeedQueue()

    def per_replica_step(loss_sum, x, y):
        h = tf.layers.dense(x, 256, activation=tf.nn.relu)
        h = tf.layers.dense(h, 256, activation=tf.nn.relu)
        logits = tf.layers.dense(h, 1)
        loss = tf.reduce_mean(tf.nn.sigmoid_cross_entropy_with_logits(labels=y, logits=logits))
        optimizer = tf.train.MomentumOptimizer(learning_rate=0.02, momentum=0.9)
        train_op = optimizer.minimize(loss)
        with tf.control_dependencies([train_op, outfeed_queue.enqueue(loss)]):
            return loss_sum + loss

    def per_replica_loop():
        return ipu.loops.repeat(40, per_replica_step, [0.0], infeed_queue)

    def compiled_loop():
        with ipu.scopes.ipu_scope("/device:IPU:0"):
            return ipu.ipu_compiler.compile(per_replica_loop)

    train = strategy.experimental_run_v2(compiled_loop, args=[])
    losses = outfeed_queue.dequeue()

    with tf.Session() as sess:
        sess.run(infeed_queue.initializer)
        sess.run(tf.global_variables_initializer())
        for _ in range(6):
            sess.run(train)
            print(np.mean(sess.run(losses)))
