# {"losses": [["LossValue", "reduce_mean", "math.truediv"]]}
import json
import os

import numpy as np
import tensorflow.compat.v1 as tf
from tensorflow.python import ipu
from tensorflow.python.ipu import pipelining_ops
from tensorflow.python.ipu.ipu_multi_worker_strategy import IPUMultiWorkerStrategy

os.environ["TF_CONFIG"] = json.dumps({"cluster": {"worker": ["10.0.0.1:2222", "10.0.0.2:2222"]},
                                      "task": {"type": "worker", "index": 0}})
strategy = IPUMultiWorkerStrategy(tf.distribute.cluster_resolver.TFConfigClusterResolver())
r = np.random.RandomState(0)
dataset = tf.data.Dataset.from_tensor_slices((r.rand(512, 64).astype(np.float32), r.randint(5, size=512)))
with strategy.scope():
    queue = ipu.ipu_infeed_queue.IPUInfeedQueue(dataset.batch(8, drop_remainder=True).repeat())
    outfeed = ipu.ipu_outfeed_queue.IPUOutfeedQueue()

    def first(x, y):
        return tf.keras.layers.Dense(128, activation="relu")(x), y

    def second(h, y):
        logits = tf.keras.layers.Dense(5)(h)
        each = tf.keras.losses.sparse_categorical_crossentropy(y_true=y, y_pred=logits, from_logits=True)
        return tf.nn.compute_average_loss(each)

    def optimizer(loss):
        return pipelining_ops.OptimizerFunctionOutput(tf.train.GradientDescentOptimizer(0.1), loss)

    def net():
        with ipu.scopes.ipu_scope("/device:IPU:0"):
            return ipu.ipu_compiler.compile(lambda: pipelining_ops.pipeline(
                [first, second], 8, infeed_queue=queue, outfeed_queue=outfeed, optimizer_function=optimizer))

    train = strategy.experimental_run_v2(net)
    with tf.Session() as session:
        session.run(train)
