# {"steps_per_execution": 20, "batch": 16, "optimizer": "SGD", "parameters": 7850, "average_replica_gradients": true, "ipus": 2}
import argparse
import os
from functools import partial

import tensorflow.compat.v1 as tf
from tensorflow.keras.layers import Activation, Dense, Flatten
from tensorflow.keras.models import Sequential
from tensorflow.python import ipu

tf.disable_v2_behavior()

if "TF_POPLAR_FLAGS" in os.environ:
    os.environ["TF_POPLAR_FLAGS"] = ""
else:
    os.environ["TF_POPLAR_FLAGS"] = "--executable_cache_path=cache"
os.environ["TF_POPLAR_FLAGS"] += " --show_progress_bar=true"


def make_dataset(opts):
    (images, labels), _ = tf.keras.datasets.mnist.load_data()
    images, labels = images.astype("float32") / 255.0, labels.astype("int32")
    dataset = tf.data.Dataset.from_tensor_slices((images, labels)).repeat()
    return dataset.batch(opts.batch_size, drop_remainder=True)


def training_step(opts, outfeed, images, labels):
    model = Sequential([Flatten(), Dense(10)])
    logits = model(images, training=True)
    loss = tf.losses.sparse_softmax_cross_entropy(labels=labels, logits=logits)
    optimizer = tf.train.GradientDescentOptimizer(learning_rate=opts.learning_rate)
    optimizer = ipu.optimizers.CrossReplicaOptimizer(optimizer)
    return outfeed.enqueue(loss), optimizer.minimize(loss)


def build(opts, dataset):
    infeed = ipu.ipu_infeed_queue.IPUInfeedQueue(dataset)
    outfeed = ipu.ipu_outfeed_queue.IPUOutfeedQueue()
    with ipu.scopes.ipu_scope("/device:IPU:0"):

        def loop():
            return ipu.loops.repeat(opts.iterations, partial(training_step, opts, outfeed), infeed_queue=infeed)

        return ipu.ipu_compiler.compile(loop), infeed, outfeed.dequeue()


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="Replicated MNIST")
    parser.add_argument("--batch-size", type=int, default=16)
    parser.add_argument("--iterations", type=int, default=20)
    parser.add_argument("--learning-rate", type=float, default=0.1)
    parser.add_argument("--replicas", type=int, default=2)
    opts = parser.parse_args()
    run, infeed, results = build(opts, make_dataset(opts))
    config = ipu.config.IPUConfig()
    config.auto_select_ipus = opts.replicas
    config.configure_ipu_system()
    width = max(len(name) for name in ["loss", "step"])
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        session.run(infeed.initializer)
        for step in range(4):
            session.run(run)
            print(f"{'step':<{width}} {step:>4,} {session.run(results)}")
