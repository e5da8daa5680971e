# {"accumulation": 4, "effective_batch": 32, "loss": "SparseCategoricalCrossentropy"}
import numpy as np
import tensorflow.compat.v1 as tf
from tensorflow import keras
from tensorflow.python import ipu
(x, y), _ = keras.datasets.mnist.load_data()
dataset = tf.data.Dataset.from_tensor_slices((x, y)).batch(8, drop_remainder=True).repeat()
infeed = ipu.ipu_infeed_queue.IPUInfeedQueue(dataset)
outfeed = ipu.ipu_outfeed_queue.IPUOutfeedQueue()
def body(image, label):
    x = keras.layers.Flatten()(image)
    logits = keras.layers.Dense(10)(x)
    loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels=label, logits=logits))
    train = ipu.optimizers.GradientAccumulationOptimizerV2(tf.train.GradientDescentOptimizer(0.1), 4).minimize(loss)
    return outfeed.enqueue(loss), train

run = ipu.ipu_compiler.compile(lambda: ipu.loops.repeat(20, body, infeed_queue=infeed), inputs=[])
