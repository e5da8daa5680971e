# {"steps_per_execution": 50, "batch": 4, "warning": "python/predicts-only"}
# Inference only: sensor GRU, features arrive as a dictionary
import numpy as np
import tensorflow.compat.v1 as tf
from tensorflow.python.ipu import (ipu_compiler, ipu_infeed_queue, ipu_outfeed_queue,
                                   loops, rnn_ops, scopes, utils)

tf.disable_eager_execution()

flags = tf.app.flags
flags.DEFINE_integer("batch", 4, "batch size")
flags.DEFINE_integer("iterations", 50, "batches on the device")
FLAGS = flags.FLAGS


def make_dataset():
    series = np.sin(np.arange(0, 2000, dtype=np.float32))[:1920].reshape(40, 24, 2)
    ds = tf.data.Dataset.from_tensor_slices({"series": series, "scale": np.ones((40, 1), np.float32)})
    return ds.batch(FLAGS.batch, drop_remainder=True).repeat()


def main():
    infeed = ipu_infeed_queue.IPUInfeedQueue(make_dataset())
    outfeed = ipu_outfeed_queue.IPUOutfeedQueue()

    def body(scale, series):
        x = tf.transpose(series, perm=[1, 0, 2])
        gru = rnn_ops.PopnnGRU(20, name="gru")
        seq, last = gru(x, training=False)
        with tf.variable_scope("out", use_resource=True):
            y = tf.layers.dense(last, 1, activation=None)
        return outfeed.enqueue({"forecast": y * scale})

    def net():
        return loops.repeat(FLAGS.iterations, body, infeed_queue=infeed)

    with scopes.ipu_scope("/device:IPU:0"):
        batch_op = ipu_compiler.compile(net)
    out = outfeed.dequeue()

    opts = utils.create_ipu_config(profiling=True)
    opts = utils.auto_select_ipus(opts, 1)
    utils.configure_ipu_system(opts)
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        sess.run(infeed.initializer)
        sess.run(batch_op)
        print(sess.run(out)["forecast"].shape)


if __name__ == "__main__":
    main()
