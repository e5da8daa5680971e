# {"stages": 2, "stage_list": [0, 0, 0, 0, 1, 1, 1, 1, 1], "optimizer": "SGD"}
import tensorflow as tf
from tensorflow.python import ipu
class Block(tf.keras.layers.Layer):
    def __init__(self, w, **kw):
        super().__init__(**kw)
        self.ffn = tf.keras.Sequential([tf.keras.layers.Dense(64, activation="relu"), tf.keras.layers.Dense(w)])
        self.drop = tf.keras.layers.Dropout(0.1)
    def call(self, x):
        return x + self.drop(self.ffn(x))
with ipu.ipu_strategy.IPUStrategy().scope():
    i = tf.keras.Input((32,), batch_size=4)
    x = Block(32, name="block0")(i)
    x = Block(32, name="block1")(x)
    m = tf.keras.Model(i, tf.keras.layers.Dense(1, name="head")(x))
    t = m.get_pipeline_stage_assignment()
    for e in t:
        e.pipeline_stage = 0 if e.layer.name == "block0" else 1
    m.set_pipeline_stage_assignment(t)
    m.set_pipelining_options(gradient_accumulation_steps_per_replica=4)
    m.compile("sgd", "mse", steps_per_execution=8)
