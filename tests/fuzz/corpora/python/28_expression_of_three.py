# {"classes": ["InputLayer", "InputLayer", "InputLayer", "ElementwiseExpression"], "config": [3, "expression", "((x0 * x1) + x2)"]}
import tensorflow.compat.v1 as tf
from tensorflow.python import ipu


def net(a, b, c):
    return ipu.custom_ops.codelet_expression_op(lambda x, y, z: x * y + z, a, b, c)


given = [tf.placeholder(tf.float32, [2, 20]) for _ in range(3)]
with ipu.scopes.ipu_scope("/device:IPU:0"):
    run = ipu.ipu_compiler.compile(net, given)
