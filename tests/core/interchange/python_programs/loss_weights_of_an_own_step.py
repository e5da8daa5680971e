# {"losses": ["MeanAbsoluteError"], "loss_weights": null}
import numpy as np
import tensorflow as tf
from tensorflow.python import ipu


class Stepped(tf.keras.Model):
    def train_step(self, data):
        x, y = data
        with tf.GradientTape() as tape:
            loss = tf.keras.losses.MeanAbsoluteError()(y, self(x, training=True))
        gradients = tape.gradient(loss, self.trainable_variables)
        self.optimizer.apply_gradients(zip(gradients, self.trainable_variables))
        return {"loss": loss}


with ipu.ipu_strategy.IPUStrategy().scope():
    i = tf.keras.Input((3,), batch_size=4)
    m = Stepped(i, tf.keras.layers.Dense(1)(i))
    m.compile("sgd", "mse", loss_weights=[0.5], steps_per_execution=4)
    m.fit(np.ones((64, 3), np.float32), np.ones((64, 1), np.float32), batch_size=4)
