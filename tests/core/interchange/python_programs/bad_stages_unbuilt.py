# {"error": "runtime-error/model-not-built", "line": 19}
import tensorflow as tf
from tensorflow import keras
from tensorflow.python import ipu

cfg = ipu.config.IPUConfig()
cfg.auto_select_ipus = 1
cfg.configure_ipu_system()
strategy = ipu.ipu_strategy.IPUStrategy()

class M(keras.Model):
    def __init__(self):
        super().__init__()
        self.d = keras.layers.Dense(1)
    def call(self, x):
        return self.d(x)
with strategy.scope():
    m = M()
    m.set_pipeline_stage_assignment([0])
