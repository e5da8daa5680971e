# {"stages": 2, "stage_list": [0, 0, 0, 1, 1, 1, 1], "optimizer": "SGD"}
import tensorflow as tf
from tensorflow.python import ipu
class Block(tf.keras.layers.Layer):
    def __init__(self, w, **kw):
        super().__init__(**kw)
        self.ffn = tf.keras.Sequential([tf.keras.layers.Dense(64, activation="relu"), tf.keras.layers.Dense(w)])
    def call(self, x):
        return x + self.ffn(x)
with ipu.ipu_strategy.IPUStrategy().scope():
    m = tf.keras.Sequential([tf.keras.Input((32,), batch_size=4), Block(32), Block(32), tf.keras.layers.Dense(1)])
    m.set_pipeline_stage_assignment([0, 1, 1])
    m.set_pipelining_options(gradient_accumulation_steps_per_replica=4)
    m.compile("sgd", "mse", steps_per_execution=8)
