# {"input": [8, 16], "classes": ["InputLayer", "Dense", "TFOpLambda", "TFOpLambda", "TFOpLambda", "TFOpLambda"]}
import numpy as np
import tensorflow as tf
from tensorflow.python import ipu
config = ipu.config.IPUConfig()
config.auto_select_ipus = 1
config.configure_ipu_system()
x = np.random.rand(8, 16).astype(np.float32)
with tf.device("/device:IPU:0"):
    w = tf.ones([16, 4])
    h = tf.nn.relu(tf.matmul(x, w) + 1.0)
    y = -h * 2.0
print(y.numpy())
