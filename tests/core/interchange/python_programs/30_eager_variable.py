# {"classes": ["InputLayer", "Dense", "TFOpLambda"], "trainable": 512, "input": [32, 64]}
import numpy as np
import tensorflow as tf
from tensorflow.python import ipu
cfg = ipu.config.IPUConfig(); cfg.auto_select_ipus = 1; cfg.configure_ipu_system()
with ipu.ipu_strategy.IPUStrategy().scope():
    x = tf.random.normal([32, 64])
    w = tf.Variable(tf.zeros([64, 8]))
    y = tf.nn.relu(tf.matmul(x, w))
print(y)
