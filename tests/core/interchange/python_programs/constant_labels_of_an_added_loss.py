# {"classes": ["InputLayer", "Dense", "SlicingOpLambda", "SlicingOpLambda", "TFOpLambda", "TFOpLambda", "TFOpLambda", "TFOpLambda", "TFOpLambda", "TFOpLambda", "LossValue", "TFOpLambda", "AddLoss"], "optimizer": "Adam"}
import tensorflow as tf
from tensorflow import keras
from tensorflow.python import ipu
B = 8
class InBatch(keras.layers.Layer):
    def call(self, z):
        logits = tf.matmul(z[:, 0], z[:, 1], transpose_b=True) / 0.2
        self.add_loss(tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels=tf.range(B), logits=logits)))
        return z
with ipu.ipu_strategy.IPUStrategy().scope():
    i = keras.Input((2, 8), batch_size=B)
    m = keras.Model(i, InBatch()(keras.layers.Dense(4)(i)))
    m.compile("adam")
