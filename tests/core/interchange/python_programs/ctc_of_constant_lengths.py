# {"parameters": 810, "optimizer": "Adam"}
import tensorflow as tf
from tensorflow.python import ipu
B, T, S, L = 8, 50, 30, 10
def ctc(y_true, y_pred):
    return ipu.nn_ops.ctc_loss_v2(tf.cast(y_true, tf.int32), tf.transpose(y_pred, [1, 0, 2]),
                                  tf.fill([B], L), tf.fill([B], T), blank_index=S - 1)
m = tf.keras.Sequential([tf.keras.layers.Dense(S, input_shape=(T, 26))])
m.compile("adam", ctc)
