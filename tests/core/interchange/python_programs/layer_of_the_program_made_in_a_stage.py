# {"stages": 2, "stage_list": [0, 0, 1], "accumulation": 8}
import numpy as np
import tensorflow as tf
from tensorflow.python import ipu
cfg = ipu.config.IPUConfig(); cfg.auto_select_ipus = 2; cfg.configure_ipu_system()
class Block(tf.keras.layers.Layer):
    def __init__(self, n):
        super().__init__()
        self.d = tf.keras.layers.Dense(n)
    def call(self, x):
        return tf.nn.relu(self.d(x))
with ipu.ipu_strategy.IPUStrategy().scope():
    i = tf.keras.Input((4,))
    with ipu.keras.PipelineStage(0):
        first = Block(6)
    with ipu.keras.PipelineStage(1):
        second = tf.keras.layers.Dense(2)
    m = tf.keras.Model(i, second(first(i)))
    m.set_pipelining_options(gradient_accumulation_steps_per_replica=8)
    m.compile("sgd", "mse", steps_per_execution=8)
    m.fit(np.zeros((64, 4), np.float32), np.zeros((64, 2), np.float32), batch_size=8)
