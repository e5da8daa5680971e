# {"ipus": 4, "replicas": 4, "effective_batch": 16}
import tensorflow as tf
from tensorflow.python import ipu
from tensorflow.python.ipu.horovod import ipu_multi_replica_strategy

config = ipu.config.IPUConfig()
config.auto_select_ipus = 2
config.experimental.multi_replica_distribution.process_count = 2
config.experimental.multi_replica_distribution.process_index = 1
config.configure_ipu_system()
with ipu_multi_replica_strategy.IPUMultiReplicaStrategy().scope():
    net = tf.keras.Sequential([tf.keras.layers.Dense(1, input_shape=(8,))])
    net.compile("sgd", "mse", steps_per_execution=8)
    net.fit(tf.zeros([256, 8]), tf.zeros([256, 1]), batch_size=4)
