# {"parameters": 9, "layer_count": 3}
import numpy as np
import tensorflow as tf
from tensorflow.python import ipu

def positional_encoding(length, depth):            # word for word www.tensorflow.org/text/tutorials/transformer
    depth = depth / 2
    positions = np.arange(length)[:, np.newaxis]
    depths = np.arange(depth)[np.newaxis, :] / depth
    angle_rads = positions * (1 / (10000**depths))
    pos_encoding = np.concatenate([np.sin(angle_rads), np.cos(angle_rads)], axis=-1)
    return tf.cast(pos_encoding, dtype=tf.float32)

with ipu.ipu_strategy.IPUStrategy().scope():
    i = tf.keras.Input((6, 8))
    m = tf.keras.Model(i, tf.keras.layers.Dense(1)(i + positional_encoding(6, 8)))
    m.compile("sgd", "mse")
