# {"classes": ["InputLayer", "InputLayer", "ElementwiseExpression"], "config": [2, "expression", "((tanh(x0) * x1) + 0.5)"]}
import tensorflow as tf
from tensorflow import keras
from tensorflow.python import ipu
i = keras.Input((4,))
j = keras.Input((4,))
x = i
def f(a, b):
    return tf.math.tanh(a) * b + 0.5
x = ipu.custom_ops.codelet_expression_op(f, i, j)
inputs = [i, j]
model = keras.Model(inputs, x)
