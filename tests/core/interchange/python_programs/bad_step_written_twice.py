# {"error": "python/unsupported", "says": "several times by one batch"}
import numpy as np
import tensorflow as tf
class M(tf.keras.Model):
    def __init__(self):
        super().__init__(); self.d = tf.keras.layers.Dense(3)
    def call(self, x): return self.d(x)
    def train_step(self, data):
        x, y = data
        with tf.GradientTape() as t:
            loss = self.compiled_loss(y, self(x, training=True))
        self.optimizer.apply_gradients(zip(t.gradient(loss, self.trainable_variables), self.trainable_variables))
        with tf.GradientTape() as t:
            loss = self.compiled_loss(y, self(x, training=True))
        self.optimizer.apply_gradients(zip(t.gradient(loss, self.trainable_variables), self.trainable_variables))
        return {}
m = M(); m.compile("sgd", "mse")
m.fit(np.zeros((64, 4), "f4"), np.zeros((64, 3), "f4"), batch_size=8)
