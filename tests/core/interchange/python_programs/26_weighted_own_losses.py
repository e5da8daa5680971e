# {"losses": [["not_equal", "cast", "maximum", "cast", "LossValue", "math.multiply", "reduce_sum", "reduce_sum", "__operators__.add", "math.truediv"], ["cast", "LossValue", "reduce_mean"]], "batch": 2, "loss_weights": [1.0, 0.5]}
import tensorflow as tf
from tensorflow.python import ipu


def words_loss(labels, logits):
    keep = tf.cast(tf.not_equal(labels, -1), tf.float32)
    each = tf.nn.sparse_softmax_cross_entropy_with_logits(labels=tf.maximum(labels, 0), logits=tf.cast(logits, tf.float32))
    return tf.reduce_sum(each * keep) / (tf.reduce_sum(keep) + 1e-6)


def next_loss(labels, logits):
    return tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels=labels, logits=tf.cast(logits, tf.float32)))


with ipu.ipu_strategy.IPUStrategy().scope():
    ids = tf.keras.Input((8,), dtype=tf.int32, batch_size=2)
    x = tf.keras.layers.Embedding(50, 16)(ids)
    words = tf.keras.layers.Dense(50, name="words")(x)
    follows = tf.keras.layers.Dense(2, name="follows")(tf.keras.layers.Lambda(lambda t: t[:, 0])(x))
    net = tf.keras.Model(ids, [words, follows])
    net.compile("adam", loss=[words_loss, next_loss], loss_weights=[1.0, 0.5], steps_per_execution=4)
