# {"stages": 4, "accumulation": 16, "batch": 10}
import argparse
import numpy as np
import tensorflow.compat.v1 as tf
from tensorflow.python import ipu
from tensorflow.python.ipu import pipelining_ops
from tensorflow.python.ipu.ops.pipelining_ops import PipelineSchedule, RecomputationMode

tf.disable_v2_behavior()

parser = argparse.ArgumentParser()
parser.add_argument("--micro-batch", type=int, default=10)
parser.add_argument("--accum", type=int, default=16)
parser.add_argument("--lr", type=float, default=2e-2)
args = parser.parse_args()


class CNN(object):
    def __init__(self, classes):
        self.classes = classes

    def conv(self, x, f, k, s, name):
        with tf.variable_scope(name):
            x = tf.layers.conv2d(x, f, k, s, padding="SAME", use_bias=False,
                                 kernel_initializer=tf.keras.initializers.he_normal())
            x = ipu.normalization_ops.group_norm(x, groups=2)
            return tf.nn.relu(x)

    def stage0(self, img, lab):
        x = self.conv(img, 8, 5, 2, "c0")
        return x, lab

    def stage1(self, x, lab):
        x = self.conv(x, 16, 3, 1, "c1")
        x = pipelining_ops.recomputation_checkpoint(x)
        x = self.conv(x, 16, 3, 1, "c2")
        return tf.nn.max_pool2d(x, 2, 2, "VALID"), lab

    def stage2(self, x, lab):
        x = self.conv(x, 32, 3, 2, "c3")
        return tf.reduce_mean(x, [1, 2]), lab

    def stage3(self, x, lab):
        logits = tf.layers.dense(x, self.classes, name="fc")
        loss = tf.losses.sparse_softmax_cross_entropy(lab, logits)
        return loss


def optimizer(loss):
    opt = tf.train.AdamOptimizer(args.lr, beta1=0.85)
    return pipelining_ops.OptimizerFunctionOutput(opt, loss)


def data():
    x = np.random.rand(640, 32, 32, 3).astype(np.float32)
    y = np.random.randint(0, 20, 640).astype(np.int32)
    return (tf.data.Dataset.from_tensor_slices((x, y)).repeat()
            .batch(args.micro_batch, drop_remainder=True).prefetch(tf.data.experimental.AUTOTUNE))


cnn = CNN(20)
infeed = ipu.ipu_infeed_queue.IPUInfeedQueue(data())
outfeed = ipu.ipu_outfeed_queue.IPUOutfeedQueue()


def model():
    with tf.variable_scope("cnn", use_resource=True):
        return pipelining_ops.pipeline(
            [cnn.stage0, cnn.stage1, cnn.stage2, cnn.stage3],
            args.accum, repeat_count=2, infeed_queue=infeed, outfeed_queue=outfeed,
            optimizer_function=optimizer, accumulate_outfeed=True,
            pipeline_schedule=PipelineSchedule.Grouped,
            recomputation_mode=RecomputationMode.RecomputeAndBackpropagateInterleaved)


with ipu.scopes.ipu_scope("/device:IPU:0"):
    train = ipu.ipu_compiler.compile(model, [])
fetch = outfeed.dequeue()
opts = ipu.utils.create_ipu_config(selection_order=ipu.utils.SelectionOrder.ZIGZAG)
opts = ipu.utils.auto_select_ipus(opts, 8)
opts = ipu.utils.set_recomputation_options(opts)
opts = ipu.utils.set_convolution_options(opts, {"partialsType": "half"})
ipu.utils.configure_ipu_system(opts)
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    sess.run(infeed.initializer)
    for i in range(3):
        sess.run(train)
        print(sess.run(fetch))
