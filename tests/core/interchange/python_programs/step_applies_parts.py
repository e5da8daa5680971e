# {"optimizer": "SGD", "parameters": 15, "batch": 8}
import numpy as np
import tensorflow as tf
class M(tf.keras.Model):
    def __init__(self):
        super().__init__(); self.d = tf.keras.layers.Dense(3)
    def call(self, x): return self.d(x)
    def train_step(self, data):
        x, y = data
        half = [v for v in self.trainable_variables]
        with tf.GradientTape(persistent=True) as t:
            loss = self.compiled_loss(y, self(x, training=True))
        g = t.gradient(loss, half)
        self.optimizer.apply_gradients(zip(g[:1], half[:1]))
        self.optimizer.apply_gradients(zip(g[1:], half[1:]))
        return {}
m = M(); m.compile("sgd", "mse")
m.fit(np.zeros((64, 4), "f4"), np.zeros((64, 3), "f4"), batch_size=8)
