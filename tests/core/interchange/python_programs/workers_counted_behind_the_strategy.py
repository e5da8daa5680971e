# {"no_warning": "python/ignored", "ipus": 4}
import tensorflow as tf
from tensorflow.python import ipu
strategy = ipu.horovod.ipu_multi_replica_strategy.IPUMultiReplicaStrategy()
config = ipu.config.IPUConfig()
config.auto_select_ipus = 2
config.experimental.multi_replica_distribution.process_count = 2
config.experimental.multi_replica_distribution.process_index = 0
config.configure_ipu_system()
ds = tf.data.Dataset.from_tensors((tf.zeros((20,)), tf.zeros((1,)))).repeat().batch(8, drop_remainder=True)
with strategy.scope():
    m = tf.keras.Sequential([tf.keras.layers.Dense(1, input_shape=(20,))])
    m.compile("sgd", "mse", steps_per_execution=5)
    m.fit(ds, steps_per_epoch=100)
