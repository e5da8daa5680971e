# {"losses": [["__operators__.rsub", "math.multiply", "math.multiply", "math.softplus", "math.multiply", "__operators__.add", "math.multiply", "__operators__.add", "reduce_mean"]]}
import tensorflow as tf
from tensorflow.python import ipu


def loss(y, p):
    return tf.reduce_mean(tf.nn.weighted_cross_entropy_with_logits(labels=y, logits=p, pos_weight=4.0), axis=-1)


with ipu.ipu_strategy.IPUStrategy().scope():
    model = tf.keras.Sequential([tf.keras.layers.Dense(6, input_shape=(8,))])
    model.compile("adam", loss)
