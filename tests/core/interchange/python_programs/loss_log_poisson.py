# {"losses": [["math.exp", "math.multiply", "math.subtract"]]}
import tensorflow as tf
from tensorflow.python import ipu


def loss(y, p):
    return tf.nn.log_poisson_loss(y, p)


with ipu.ipu_strategy.IPUStrategy().scope():
    model = tf.keras.Sequential([tf.keras.layers.Dense(6, input_shape=(8,))])
    model.compile("adam", loss)
