# {"warning": "python/host", "says": "is computed on the host, in the middle of the device's program", "classes": ["InputLayer", "TFOpLambda", "TFOpLambda", "TFOpLambda", "HostTransfer", "HostTransfer"]}
import numpy as np
import tensorflow.compat.v1 as tf
from tensorflow.python import ipu
from tensorflow.python.ipu.scopes import ipu_scope, outside_compilation_scope
def my_net(a):
  with ipu_scope("/device:IPU:0"):
    b = a * a
    with outside_compilation_scope():
      c = b + 2  # Placed on the host.
    d = b + c
    return d
with tf.device("cpu"):
  a = tf.placeholder(np.float32, [8])
r = ipu.ipu_compiler.compile(my_net, inputs=[a])
with tf.Session() as sess:
  print(sess.run(r, {a: np.ones(8)}))
