# {"classes": ["InputLayer", "Dense"], "input": [2, 3], "parameters": 6, "trainable": 0}
import tensorflow as tf
from tensorflow.python import ipu

# Configure the IPU device.
config = ipu.config.IPUConfig()
config.auto_select_ipus = 1
config.configure_ipu_system()

a = tf.constant([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
b = tf.constant([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]])
with tf.device('/device:IPU:0'):
  c = tf.matmul(a, b)
print(c)
