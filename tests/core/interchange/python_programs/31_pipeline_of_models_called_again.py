# {"stage_list": [0, 0, 1], "steps_per_execution": 16, "steps_per_epoch": 80, "batch": 4, "loss": "SparseCategoricalCrossentropy"}
import numpy as np
import tensorflow as tf
from tensorflow.keras import layers
from tensorflow.python import ipu

x = np.random.rand(64, 8).astype(np.float32)
y = np.random.randint(0, 3, 64).astype(np.int32)
dataset = tf.data.Dataset.from_tensor_slices((x, y)).repeat().batch(4, drop_remainder=True)
config = ipu.config.IPUConfig()
config.auto_select_ipus = 2
config.configure_ipu_system()
strategy = ipu.ipu_strategy.IPUStrategy()
with strategy.scope():
    front = tf.keras.Sequential([layers.Dense(16, activation="relu", input_shape=(8,)), layers.Dense(12)])
    back = tf.keras.Sequential([layers.Dense(3, input_shape=(12,))])
    infeed = ipu.ipu_infeed_queue.IPUInfeedQueue(dataset)
    outfeed = ipu.ipu_outfeed_queue.IPUOutfeedQueue()

    def stage1(images, labels):
        return front(images, training=True), labels

    def stage2(hidden, labels):
        logits = back(hidden, training=True)
        return tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels=labels, logits=logits))

    def optimizer_function(loss):
        return ipu.pipelining_ops.OptimizerFunctionOutput(tf.compat.v1.train.GradientDescentOptimizer(0.1), loss)

    @tf.function(experimental_compile=True)
    def train():
        ipu.pipelining_ops.pipeline([stage1, stage2], gradient_accumulation_count=8, repeat_count=2,
                                    infeed_queue=infeed, outfeed_queue=outfeed,
                                    optimizer_function=optimizer_function)

    for _ in range(5):
        strategy.run(train)
