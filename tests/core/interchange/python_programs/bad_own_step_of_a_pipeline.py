# {"error": "runtime-error/overridden-function"}
import numpy as np
import tensorflow as tf
from tensorflow.python import ipu
cfg = ipu.config.IPUConfig(); cfg.auto_select_ipus = 2; cfg.configure_ipu_system()
L = tf.keras.layers
PS = ipu.ops.pipelining_ops
ds = tf.data.Dataset.from_tensor_slices((tf.zeros((960, 20)), tf.zeros((960, 1)))).batch(8, drop_remainder=True).repeat()
class M(tf.keras.Model):
    def train_step(self, data):
        x, y = data
        with tf.GradientTape() as t:
            l = self.compiled_loss(y, self(x, training=True))
        self.optimizer.minimize(l, self.trainable_variables, tape=t)
        return {}
with ipu.ipu_strategy.IPUStrategy().scope():
    i = tf.keras.Input((20,))
    with ipu.keras.PipelineStage(0):
        x = L.Dense(8)(i)
    with ipu.keras.PipelineStage(1):
        x = L.Dense(1)(x)
    m = M(i, x)
    m.set_pipelining_options(gradient_accumulation_steps_per_replica=8)
    m.compile("adam", "mse", steps_per_execution=16)
    m.fit(ds, steps_per_epoch=64, epochs=1)
