# {"classes": ["InputLayer", "Dense", "TFOpLambda"], "epochs": 2, "batch": 8, "optimizer": "SGD", "optimizer_config": {"learning_rate": 0.25, "momentum": 0.5}, "no_warning": "python/ignored", "parameters": 78, "losses": [["math.multiply","reduce_sum","__operators__.rmul","__operators__.add","reduce_sum","reduce_sum","__operators__.add","__operators__.add","math.truediv","__operators__.rsub","LossValue","reduce_mean","__operators__.add"]]}
import numpy as np
import tensorflow as tf
from tensorflow.keras import backend as K


class Affine(tf.keras.layers.Layer):
    def __init__(self, units, **kwargs):
        super().__init__(**kwargs)
        self.units = units

    def build(self, shape):
        start = tf.keras.initializers.GlorotUniform()
        self.w = tf.Variable(start(shape=(shape[-1], self.units)), name="w", trainable=True)
        self.b = tf.Variable(tf.zeros([self.units]), name="b", trainable=True)

    def call(self, x):
        return tf.nn.sigmoid(tf.matmul(x, self.w) + self.b)


def dice_and_cross_entropy(labels, predicted):
    overlap = K.sum(labels * predicted)
    dice = 1.0 - (2.0 * overlap + 1.0) / (K.sum(labels) + K.sum(predicted) + 1.0)
    return dice + K.mean(K.binary_crossentropy(labels, predicted))


class Warm(tf.keras.optimizers.SGD):
    """Doubles every gradient first."""

    def apply_gradients(self, grads_and_vars, **kwargs):
        return super().apply_gradients([(2.0 * g, v) for g, v in grads_and_vars], **kwargs)


net = tf.keras.Sequential([tf.keras.Input((12,), batch_size=8), Affine(6)])
net.compile(Warm(0.125, momentum=0.5), dice_and_cross_entropy)
net.fit(np.zeros((80, 12), np.float32), np.zeros((80, 6), np.float32), epochs=2, batch_size=8)
