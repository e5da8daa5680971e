# {"classes": ["InputLayer", "InputLayer", "TFOpLambda", "Dense"], "input": [null, 3], "steps_per_epoch": 25, "batch": 4}
import tensorflow as tf
from tensorflow import keras
from tensorflow.python import ipu

cfg = ipu.config.IPUConfig()
cfg.auto_select_ipus = 1
cfg.configure_ipu_system()
strategy = ipu.ipu_strategy.IPUStrategy()

ds = tf.data.Dataset.from_tensor_slices(({"a": tf.zeros((100, 3)), "b": tf.zeros((100, 2))}, tf.zeros((100,)))).batch(4, drop_remainder=True)
class Two(keras.Model):
    def __init__(self):
        super().__init__()
        self.d = keras.layers.Dense(1)
    def call(self, inputs):
        return self.d(tf.concat([inputs["a"], inputs["b"]], axis=-1))
with strategy.scope():
    m = Two()
    m.compile("sgd", "mse")
    m.fit(ds)
