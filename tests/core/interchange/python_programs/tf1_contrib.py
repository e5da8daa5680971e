# {"classes": ["InputLayer", "Conv2D", "MaxPooling2D", "Flatten", "Dense", "BatchNormalization", "TFOpLambda", "Dense"], "batch": 16, "steps_per_execution": 50, "optimizer": "Adam", "loss": "SparseCategoricalCrossentropy", "activations": ["relu"], "input": [16, 32, 32, 3]}
import numpy as np
import tensorflow as tf
from tensorflow.contrib import ipu, layers
from tensorflow.contrib.ipu import ipu_compiler, ipu_infeed_queue, ipu_outfeed_queue, loops, utils
hparams = tf.contrib.training.HParams(batch=16, rate=1e-3)
data = tf.data.Dataset.from_tensor_slices((np.zeros((320, 32, 32, 3), np.float32), np.zeros((320,), np.int32)))
data = data.repeat().batch(hparams.batch, drop_remainder=True)
infeed = ipu_infeed_queue.IPUInfeedQueue(data, feed_name="train")
outfeed = ipu_outfeed_queue.IPUOutfeedQueue(feed_name="out")
def training_step(x, y):
    x = layers.conv2d(x, 8, 3, weights_initializer=layers.xavier_initializer())
    x = layers.flatten(layers.max_pool2d(x, 2))
    x = layers.fully_connected(x, 32, normalizer_fn=layers.batch_norm, normalizer_params={"decay": 0.9})
    logits = layers.fully_connected(x, 10, activation_fn=None)
    loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(logits=logits, labels=y))
    return outfeed.enqueue(loss), tf.train.AdamOptimizer(hparams.rate).minimize(loss)
def loop():
    return loops.repeat(50, training_step, [], infeed)
with ipu.scopes.ipu_scope("/device:IPU:0"):
    run_loop = ipu_compiler.compile(loop, inputs=[])
cfg = utils.auto_select_ipus(utils.create_ipu_config(), 1)
utils.configure_ipu_system(cfg)
