# {"input": [2, 3], "classes": ["InputLayer", "Dense", "TFOpLambda"], "parameters": 6, "config": [1, "trainable", false], "warning": "python/predicts-only"}
import tensorflow as tf
from tensorflow.python import ipu

left = tf.constant([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
right = tf.constant([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]])


@tf.function(jit_compile=True)
def product(a, b):
    return tf.nn.relu(tf.matmul(a, b))


strategy = ipu.ipu_strategy.IPUStrategy()
with strategy.scope():
    print(strategy.run(product, args=(left, right)))
