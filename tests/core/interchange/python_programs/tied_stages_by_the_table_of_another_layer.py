# {"parameters": 472, "stages": 3}
# 10 tied embedding device_mapping same
import numpy as np
import tensorflow as tf
from tensorflow import keras
from tensorflow.keras import layers
from tensorflow.python import ipu
cfg = ipu.config.IPUConfig()
cfg.auto_select_ipus = 2
cfg.configure_ipu_system()
x = np.zeros((64, 4), "f4"); y = np.zeros((64, 1), "f4")
strategy = ipu.ipu_strategy.IPUStrategy()
class Tied(layers.Layer):
    def __init__(self, emb): super().__init__(); self.emb = emb
    def call(self, v): return tf.matmul(v, self.emb.embeddings, transpose_b=True)
x = np.zeros((64, 6), "i4"); y = np.zeros((64, 6), "i4")
with strategy.scope():
    e = layers.Embedding(50, 8); i = keras.Input((6,), dtype="int32")
    with ipu.keras.PipelineStage(0): h = e(i)
    with ipu.keras.PipelineStage(1): h = layers.Dense(8)(h)
    with ipu.keras.PipelineStage(2): h = Tied(e)(h)
    m = keras.Model(i, h)
    m.set_pipelining_options(gradient_accumulation_steps_per_replica=6, device_mapping=[0, 1, 0])
    m.compile("sgd", keras.losses.SparseCategoricalCrossentropy(True), steps_per_execution=6)
    m.fit(x[:48], y[:48], batch_size=4, epochs=2)
