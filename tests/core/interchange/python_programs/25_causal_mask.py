# {"stages": 2, "classes": ["InputLayer", "TFOpLambda", "Dense"], "warning": "python/dataset"}
import tensorflow as tf
from tensorflow.python import ipu
class Masked(tf.keras.layers.Layer):
    def call(self, x):
        mask = tf.linalg.band_part(tf.ones((8, 8)), -1, 0)   # made inside the layer, so inside the stage
        return x - 1e4 * (1.0 - mask)
cfg = ipu.config.IPUConfig()
cfg.auto_select_ipus = 2
cfg.configure_ipu_system()
with ipu.ipu_strategy.IPUStrategy().scope():
    i = tf.keras.Input((8, 8), batch_size=4)
    with ipu.keras.PipelineStage(0):
        x = Masked()(i)
    with ipu.keras.PipelineStage(1):
        x = tf.keras.layers.Dense(1)(x)
    m = tf.keras.Model(i, x)
    m.set_pipelining_options(gradient_accumulation_steps_per_replica=4)
    m.compile('sgd', 'mse', steps_per_execution=4)
    m.fit(tf.ones((64, 8, 8)), tf.ones((64, 8, 1)), batch_size=4)
