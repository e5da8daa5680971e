# {"classes": ["InputLayer", "RNN"]}
import tensorflow as tf
from tensorflow.python import ipu
cfg = ipu.config.IPUConfig(); cfg.auto_select_ipus = 1; cfg.configure_ipu_system()

with ipu.ipu_strategy.IPUStrategy().scope():
    i = tf.keras.Input((6, 3))
    x = tf.keras.layers.RNN([tf.keras.layers.LSTMCell(8), tf.keras.layers.GRUCell(5)])(i)
    model = tf.keras.Model(i, x)
    model.compile('sgd', 'mse', steps_per_execution=4)
    model.fit(tf.data.Dataset.from_tensors((tf.zeros((6,3)), tf.zeros((5,)))).repeat().batch(4, drop_remainder=True), steps_per_epoch=8)

