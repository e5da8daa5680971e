# {"ipus": 2, "parameters": 5}
import tensorflow as tf
from tensorflow.python import ipu
try:
    import popdist
    import popdist.tensorflow
    POPDIST = popdist.isPopdistEnvSet()      # False unless started by poprun
except ImportError:
    POPDIST = False
cfg = ipu.config.IPUConfig()
if POPDIST:
    popdist.tensorflow.set_ipu_config(cfg, ipus_per_replica=1)
else:
    cfg.auto_select_ipus = 2
cfg.configure_ipu_system()
with ipu.ipu_strategy.IPUStrategy().scope():
    m = tf.keras.Sequential([tf.keras.layers.Dense(1, input_shape=(4,))])
    m.compile('sgd', 'mse')
    m.fit(tf.ones((64, 4)), tf.ones((64, 1)), batch_size=4)
