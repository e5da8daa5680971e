# {"layer_count": 4}
import tensorflow.compat.v1 as tf
from tensorflow.python import ipu
tf.disable_v2_behavior()
x = tf.placeholder(tf.float32, [4, 8])
with ipu.scopes.ipu_scope("/device:IPU:0"):
    run = ipu.ipu_compiler.compile(lambda x: ipu.loops.repeat(3, tf.tanh, [x]), [x])
