# {"steps_per_execution": 5, "steps_per_epoch": 1000000, "batch": 8, "parameters": 5}
import argparse

import tensorflow.compat.v1 as tf
from tensorflow.python import ipu
from tqdm import tqdm

tf.disable_v2_behavior()


class Options(argparse.Namespace):
    rate = 0.1


class Config(dict):
    def rounds(self):
        return 200000


dataset = tf.data.Dataset.from_tensor_slices((tf.zeros([64, 4]), tf.zeros([64, 1]))).repeat()
infeed = ipu.ipu_infeed_queue.IPUInfeedQueue(dataset.batch(8, drop_remainder=True))


def body(x, y):
    loss = tf.losses.mean_squared_error(labels=y, predictions=tf.keras.layers.Dense(1)(x))
    return tf.train.GradientDescentOptimizer(Options().rate).minimize(loss)


with ipu.scopes.ipu_scope("/device:IPU:0"):
    run = ipu.ipu_compiler.compile(lambda: ipu.loops.repeat(5, body, [], infeed))
with tf.Session() as session:
    session.run(tf.global_variables_initializer())
    session.run(infeed.initializer)
    bar = tqdm([1])
    for step in range(Config().rounds()):
        session.run(run)
        if step % 1000 == 0:
            bar.set_description(f"step {step}")
