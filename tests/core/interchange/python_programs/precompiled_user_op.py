# {"warning": "python/ignored", "says": "opaque layer", "classes": ["InputLayer", "PrecompiledUserOperation", "Dense"]}
import os
import tensorflow as tf
from tensorflow.python import ipu
library = os.path.join(os.path.dirname(os.path.realpath(__file__)), "libcustom_op.so")
x = tf.keras.Input((8,), batch_size=4)
out = {"output_types": [tf.float32], "output_shapes": [tf.TensorShape([4, 16])]}
y = ipu.custom_ops.precompiled_user_op([x], library, gp_path="c.gp", outs=out, name="Add", op_name="Build")
m = tf.keras.Model(x, tf.keras.layers.Dense(3)(y[0]))
m.compile("sgd", "mse")
