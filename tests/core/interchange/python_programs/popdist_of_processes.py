# {"ipus": 4, "steps_per_epoch": 16}
import popdist
import tensorflow as tf
from tensorflow.python import ipu
from tensorflow.python.ipu.horovod import ipu_multi_replica_strategy
config = ipu.config.IPUConfig()
config.auto_select_ipus = 2
config.experimental.multi_replica_distribution.process_count = 2
config.configure_ipu_system()
with ipu_multi_replica_strategy.IPUMultiReplicaStrategy().scope():
    m = tf.keras.Sequential([tf.keras.layers.Dense(4, input_shape=(8,))])
    m.compile("sgd", "mse", steps_per_execution=4)
    ds = tf.data.Dataset.from_tensor_slices((tf.zeros((640, 8)), tf.zeros((640, 4))))
    ds = ds.shard(popdist.getNumInstances(), popdist.getInstanceIndex())
    m.fit(ds.batch(8, drop_remainder=True).repeat(), steps_per_epoch=16)
