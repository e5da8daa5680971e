# {"stages": 2, "accumulation": 100, "steps_per_execution": 200, "steps_per_epoch": 200, "batch": 4}
import numpy as np
import tensorflow.compat.v1 as tf
from tensorflow import keras
from tensorflow.python import ipu
from tensorflow.python.ipu.ops import pipelining_ops

tf.disable_v2_behavior()
ds = tf.data.Dataset.from_tensor_slices(np.ones((64, 8), np.float32)).batch(4, drop_remainder=True).repeat()
infeed = ipu.ipu_infeed_queue.IPUInfeedQueue(ds)
outfeed = ipu.ipu_outfeed_queue.IPUOutfeedQueue()


def first(x):
    return keras.layers.Dense(16)(x)


def second(x):
    return keras.layers.Dense(4)(x)


def net():
    return pipelining_ops.pipeline([first, second], gradient_accumulation_count=100, repeat_count=2,
                                   infeed_queue=infeed, outfeed_queue=outfeed)


with ipu.scopes.ipu_scope('/device:IPU:0'):
    run = ipu.ipu_compiler.compile(net, inputs=[])
cfg = ipu.config.IPUConfig()
cfg.auto_select_ipus = 2
cfg.configure_ipu_system()
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    sess.run(infeed.initializer)
    sess.run(run)
