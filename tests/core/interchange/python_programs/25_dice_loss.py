# {"batch": 4, "losses": [["reshape","reshape","math.multiply","reduce_sum","__operators__.rmul","__operators__.add","reduce_sum","reduce_sum","__operators__.add","__operators__.add","math.truediv","__operators__.rsub"]]}
import tensorflow as tf
import tensorflow.keras.backend as K
from tensorflow.python import ipu


def dice_loss(y_true, y_pred):
    a, b = K.flatten(y_true), K.flatten(y_pred)
    return 1.0 - (2. * K.sum(a * b) + 1.0) / (K.sum(a) + K.sum(b) + 1.0)


with ipu.ipu_strategy.IPUStrategy().scope():
    m = tf.keras.Sequential([tf.keras.layers.Conv2D(1, 3, padding='same', activation='sigmoid', input_shape=(8, 8, 1))])
    m.compile('adam', dice_loss)
    m.fit(tf.ones((64, 8, 8, 1)), tf.ones((64, 8, 8, 1)), batch_size=4)
