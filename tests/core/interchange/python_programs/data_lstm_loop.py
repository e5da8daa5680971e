# {"classes": ["InputLayer", "TFOpLambda", "PopnnLSTM", "Dense"], "steps_per_execution": 64}
import numpy as np
import tensorflow as tf
from tensorflow.python import ipu
tf.compat.v1.disable_v2_behavior()
tfv = tf.compat.v1

T, B, F, H, C = 30, 10, 6, 40, 3
ITER = 64


def gen():
    rng = np.random.default_rng(0)
    while True:
        seq = rng.normal(size=(T, F)).astype(np.float32)
        yield seq, np.int32(np.argmax(seq.mean(axis=0)[:C]))


dataset = tf.data.Dataset.from_generator(
    gen, output_types=(tf.float32, tf.int32), output_shapes=((T, F), ()))
dataset = dataset.batch(B, drop_remainder=True)
infeed = ipu.ipu_infeed_queue.IPUInfeedQueue(dataset)
outfeed = ipu.ipu_outfeed_queue.IPUOutfeedQueue(
    outfeed_mode=ipu.ipu_outfeed_queue.IPUOutfeedMode.LAST)


def body(seq, label):
    with tfv.variable_scope("net", use_resource=True):
        x = tf.transpose(seq, [1, 0, 2])
        lstm = ipu.rnn_ops.PopnnLSTM(num_units=H, dtype=tf.float32)
        out, state = lstm(x)
        last = state.h
        w = tfv.get_variable("w", shape=[H, C])
        b = tfv.get_variable("b", shape=[C], initializer=tfv.zeros_initializer())
        logits = tfv.nn.xw_plus_b(last, w, b)
    loss = tf.reduce_mean(
        tf.nn.sparse_softmax_cross_entropy_with_logits(labels=label, logits=logits))
    opt = tfv.train.RMSPropOptimizer(2e-3, decay=0.9, epsilon=1e-7)
    opt = ipu.optimizers.GradientAccumulationOptimizerV2(opt, num_mini_batches=8)
    train = opt.minimize(loss)
    with tf.control_dependencies([train]):
        return outfeed.enqueue(loss)


def net():
    return ipu.loops.repeat(ITER, body, [], infeed)


with ipu.scopes.ipu_scope("/device:IPU:0"):
    run_loop = ipu.ipu_compiler.compile(net, [])
dequeue = outfeed.dequeue()
ipu.utils.move_variable_initialization_to_cpu()

cfg = ipu.config.IPUConfig()
cfg.auto_select_ipus = 1
cfg.configure_ipu_system()
saver = tfv.train.Saver()
with tfv.Session() as sess:
    sess.run(tfv.global_variables_initializer())
    sess.run(infeed.initializer)
    for i in range(6):
        sess.run(run_loop)
        print(sess.run(dequeue))
    saver.save(sess, "./lstm.ckpt")
