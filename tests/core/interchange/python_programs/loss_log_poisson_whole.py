# {"losses": [["math.exp", "math.multiply", "math.subtract", "math.maximum", "math.multiply", "math.log", "math.multiply", "math.log", "math.multiply", "math.subtract", "__operators__.add", "math.greater", "cast", "math.multiply", "__operators__.add"]]}
import tensorflow as tf
from tensorflow.python import ipu


def loss(y, p):
    return tf.nn.log_poisson_loss(y, p, compute_full_loss=True)


with ipu.ipu_strategy.IPUStrategy().scope():
    model = tf.keras.Sequential([tf.keras.layers.Dense(6, input_shape=(8,))])
    model.compile("adam", loss)
