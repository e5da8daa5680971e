# {"warning": "python/ignored", "says": "the metric mape10, which the program computes by itself"}
import numpy as np
import tensorflow as tf
from tensorflow.python import ipu

cfg = ipu.config.IPUConfig()
cfg.auto_select_ipus = 1
cfg.configure_ipu_system()

class RMSE(tf.keras.metrics.Metric):
    def __init__(self, name="rmse_", **kw):
        super().__init__(name=name, **kw)
        self.total = self.add_weight("t", initializer="zeros")
        self.n = self.add_weight("n", initializer="zeros")
    def update_state(self, y_true, y_pred, sample_weight=None):
        self.total.assign_add(tf.reduce_sum(tf.square(y_true - y_pred)))
        self.n.assign_add(tf.cast(tf.size(y_true), tf.float32))
    def result(self):
        return tf.sqrt(self.total / self.n)
def mape10(y_true, y_pred):
    return tf.reduce_mean(tf.abs(y_true - y_pred) / 10.0)
with ipu.ipu_strategy.IPUStrategy().scope():
    m = tf.keras.Sequential([tf.keras.layers.Dense(8, input_shape=(4,)), tf.keras.layers.Dense(1)])
    m.compile("sgd", "mse", metrics=[RMSE(), mape10, "mae"], steps_per_execution=2)
    m.fit(np.zeros((32, 4), np.float32), np.zeros((32, 1), np.float32), batch_size=4)
