# {"error": "python/unsupported", "says": "several times by one batch"}
import numpy as np
import tensorflow as tf
from tensorflow import keras
from tensorflow.keras import layers
from tensorflow.keras import backend as Kb
from tensorflow.python import ipu
cfg = ipu.config.IPUConfig()
cfg.auto_select_ipus = 1
cfg.configure_ipu_system()
x = np.zeros((64, 4), "f4"); y = np.zeros((64, 1), "f4")
strategy = ipu.ipu_strategy.IPUStrategy()
class M(keras.Model):
    def train_step(self, data):
        a, b = data
        for _ in range(2):
            with tf.GradientTape() as tape:
                loss = self.compiled_loss(b, self(a, training=True))
            g = tape.gradient(loss, self.trainable_variables)
            self.optimizer.apply_gradients(zip(g, self.trainable_variables))
        return {"loss": loss}
with strategy.scope():
    i = keras.Input((4,)); m = M(i, layers.Dense(1)(i))
    m.compile("sgd", "mse", steps_per_execution=2)
    m.fit(x, y, batch_size=8, epochs=2)
