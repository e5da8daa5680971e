# {"stages": 2, "parameters": 65, "trainable": 9, "no_warning": "python/ignored"}
import numpy as np
import tensorflow.compat.v1 as tf
from tensorflow.python import ipu
from tensorflow.python.ipu import pipelining_ops

r = np.random.RandomState(0)
dataset = tf.data.Dataset.from_tensor_slices((r.rand(640, 6).astype(np.float32), r.rand(640, 1).astype(np.float32)))
queue = ipu.ipu_infeed_queue.IPUInfeedQueue(dataset.batch(4, drop_remainder=True).repeat())
outfeed = ipu.ipu_outfeed_queue.IPUOutfeedQueue()
cfg = ipu.config.IPUConfig()
cfg.auto_select_ipus = 2
cfg.configure_ipu_system()


def first(x, y):
    return tf.layers.dense(x, 8, activation=tf.nn.relu, name="a"), y


def second(x, y):
    return tf.losses.mean_squared_error(y, tf.layers.dense(x, 1, name="b"))


def optimizer(loss):
    some = [v for v in tf.trainable_variables() if v.name.startswith("b")]
    return pipelining_ops.OptimizerFunctionOutput(tf.train.GradientDescentOptimizer(0.1), loss,
                                                  compute_gradients_kwargs={"var_list": some})


def net():
    return pipelining_ops.pipeline([first, second], 8, infeed_queue=queue, outfeed_queue=outfeed,
                                   optimizer_function=optimizer)


with ipu.scopes.ipu_scope("/device:IPU:0"):
    train = ipu.ipu_compiler.compile(net)
with tf.Session() as session:
    session.run(train)
