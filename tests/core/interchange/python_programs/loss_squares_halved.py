# {"losses": [["math.subtract", "math.square", "reduce_sum", "math.multiply", "reduce_mean"]]}
import tensorflow as tf
from tensorflow.python import ipu


def loss(y, p):
    return tf.reduce_mean(tf.nn.l2_loss(y - p))


with ipu.ipu_strategy.IPUStrategy().scope():
    model = tf.keras.Sequential([tf.keras.layers.Dense(6, input_shape=(8,))])
    model.compile("adam", loss)
