# {"error": "value-error/collective-operator", "line": 6}
import tensorflow as tf
from tensorflow.python import ipu
with ipu.ipu_strategy.IPUStrategy().scope():
    x = tf.keras.Input(shape=(16,), batch_size=8)
    y = ipu.reduce_scatter_op.reduce_scatter(tf.reshape(x, [-1]), replication_factor=2, op="COLLECTIVE_OP_MEAN")
    m = tf.keras.Model(x, y)
    m.predict(tf.zeros((32, 16)), batch_size=8)
