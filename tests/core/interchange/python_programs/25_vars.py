# {"parameters": 932, "batch": 4}
import argparse
from types import SimpleNamespace

import tensorflow as tf
from tensorflow.python import ipu

p = argparse.ArgumentParser()
p.add_argument("--units", type=int)
p.add_argument("--classes", type=int, default=100)
args = p.parse_args()
options = {"units": 8, "classes": 10, "batch": 4}
options.update({k: v for k, v in vars(args).items() if v is not None})
options = SimpleNamespace(**options)

with ipu.ipu_strategy.IPUStrategy().scope():
    m = tf.keras.Sequential([tf.keras.layers.Dense(options.units, use_bias=False, input_shape=(4,)),
                             tf.keras.layers.Dense(options.classes)])
    m.compile("sgd", tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True))
    m.fit(tf.zeros((64, 4)), tf.zeros((64,), tf.int32), batch_size=options.batch)
