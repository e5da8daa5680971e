# {"error": "python/value", "line": 10}
import tensorflow as tf
from tensorflow.python import ipu
import numpy as np
class M(tf.keras.Model):
    def train_step(self, data):
        x, y = data
        with tf.GradientTape() as tape:
            p = self(x, training=True)
            loss = self.compiled_loss(y, tf.ones_like(y))
        g = tape.gradient(loss, self.trainable_variables)
        self.optimizer.apply_gradients(zip(g, self.trainable_variables))
        return {"loss": loss}
x = np.zeros((64, 8), np.float32)
y = np.zeros((64, 1), np.float32)
ds = tf.data.Dataset.from_tensor_slices((x, y)).batch(8, drop_remainder=True)
with ipu.ipu_strategy.IPUStrategy().scope():
    i = tf.keras.Input((8,))
    m = M(i, tf.keras.layers.Dense(1)(tf.keras.layers.Dense(4)(i)))
    m.compile("sgd", "mse", steps_per_execution=8)
    m.fit(ds, epochs=1)
