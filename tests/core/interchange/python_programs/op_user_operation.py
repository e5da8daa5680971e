# {"classes": ["InputLayer", "UserOperation"], "config": [1, "op_name", "square"]}
import tensorflow as tf
from tensorflow import keras
from tensorflow.python import ipu
i = keras.Input((4, 6))
x = i
x = ipu.custom_ops.cpu_user_operation([i], './lib.so', outs={'output_types': [tf.float32], 'output_shapes': [[2, 3]]}, op_name='square')
inputs = [i]
model = keras.Model(inputs, x)
