# {"activations": ["gelu_tanh", "gelu", "gelu_tanh"]}
import tensorflow as tf
from tensorflow.python import ipu

with ipu.ipu_strategy.IPUStrategy().scope():
    x = tf.keras.Input((4,), 8)
    y = tf.keras.layers.Dense(2, activation=ipu.nn_ops.gelu)(x)
    y = ipu.nn_ops.gelu(y, approximate=False)
    y = ipu.nn_ops.gelu(y)
    m = tf.keras.Model(x, y)
    m.compile('sgd', 'mse', steps_per_execution=1)
    m.predict(tf.ones((64, 4)), batch_size=8)
