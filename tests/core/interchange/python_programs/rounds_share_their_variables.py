# {"classes": ["InputLayer", "Dense"], "parameters": 64}
import tensorflow.compat.v1 as tf
from tensorflow.python import ipu
tf.disable_v2_behavior()
def body(x):
    return tf.matmul(x, tf.get_variable("w", [8, 8]))
def net(x):
    return ipu.loops.repeat(3, body, [x])
x = tf.placeholder(tf.float32, [4, 8])
with ipu.scopes.ipu_scope("/device:IPU:0"):
    run = ipu.ipu_compiler.compile(net, [x])
