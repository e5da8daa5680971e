# {"error": "python/unsupported", "says": "computed further before they are applied"}
import tensorflow as tf
from tensorflow.python import ipu
cfg = ipu.config.IPUConfig(); cfg.auto_select_ipus = 1; cfg.configure_ipu_system()
class M(tf.keras.Model):
    def __init__(self):
        super().__init__()
        self.d = tf.keras.layers.Dense(3)
    def call(self, x):
        return self.d(x)
    def train_step(self, data):
        x, y = data
        with tf.GradientTape() as tape:
            loss = self.compiled_loss(y, self(x, training=True))
        g = tape.gradient(loss, self.trainable_variables)
        g = [tf.sign(v) for v in g]
        self.optimizer.apply_gradients(zip(g, self.trainable_variables))
        return {"loss": loss}
with ipu.ipu_strategy.IPUStrategy().scope():
    model = M()
    model.compile("sgd", "mse")
    model.fit(tf.zeros([64, 4]), tf.zeros([64, 3]), batch_size=8, epochs=2)
