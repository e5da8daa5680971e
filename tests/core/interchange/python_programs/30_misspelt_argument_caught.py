# {"classes": ["InputLayer", "Dense"], "optimizer": "SGD"}
import tensorflow as tf
from tensorflow.python import ipu
try:
    ipu.embedding_ops.create_host_embedding("t", shape=[8, 4], dtype=tf.float32, partition_strateg="TOKEN")
    units = 3
except TypeError:
    units = 5
with ipu.ipu_strategy.IPUStrategy().scope():
    m = tf.keras.Sequential([tf.keras.layers.Dense(units, input_shape=(4,))])
    assert m.count_params() == 25
    m.compile("sgd", "mse")
    m.fit(tf.zeros((32, 4)), tf.zeros((32, 5)), batch_size=8)
