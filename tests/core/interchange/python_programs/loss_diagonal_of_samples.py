# {"losses": [["__operators__.getitem", "__operators__.getitem", "matmul", "math.truediv", "reduce_logsumexp", "ones_like", "cumsum", "cumsum", "math.equal", "cast", "math.multiply", "reduce_sum", "math.subtract", "reduce_mean", "cast", "math.reduce_sum", "math.multiply", "math.add"]], "effective_batch": 8}
import tensorflow as tf
from tensorflow import keras
from tensorflow.python import ipu


class Contrast(keras.losses.Loss):
    def call(self, y_true, y_pred):
        a, b = y_pred[:, 0], y_pred[:, 1]
        logits = tf.matmul(a, b, transpose_b=True) / 0.2
        return tf.reduce_mean(tf.reduce_logsumexp(logits, axis=1) - tf.linalg.diag_part(logits))


with ipu.ipu_strategy.IPUStrategy().scope():
    inputs = keras.Input((2, 8), batch_size=8)
    model = keras.Model(inputs, keras.layers.Dense(4)(inputs))
    model.compile("adam", Contrast())
