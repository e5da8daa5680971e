# {"classes": ["InputLayer", "PopnnLSTM"], "config": [1, "unit_forget_bias", false]}
import tensorflow as tf
from tensorflow import keras
from tensorflow.python import ipu
x = keras.Input((4, 6))
y, _ = ipu.rnn_ops.PopnnLSTM(8, weights_initializer=tf.constant_initializer(0.3), bias_initializer=tf.constant_initializer(0.2))(x)
model = keras.Model(x, y)
