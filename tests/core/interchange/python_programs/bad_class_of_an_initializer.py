# {"error": "value-error/initializer", "line": 8, "says": "HeNormalx"}
import tensorflow as tf
from tensorflow.python import ipu
cfg = ipu.config.IPUConfig()
cfg.auto_select_ipus = 1
cfg.configure_ipu_system()
with ipu.ipu_strategy.IPUStrategy().scope():
    m = tf.keras.Sequential([tf.keras.layers.Dense(8, kernel_initializer=tf.keras.initializers.HeNormalx(), input_shape=(4,)), tf.keras.layers.Dense(1)])
    m.compile("sgd", "mse", steps_per_execution=2)
    m.fit(np.zeros((64, 4), np.float32), np.zeros((64, 1), np.float32), batch_size=8)
