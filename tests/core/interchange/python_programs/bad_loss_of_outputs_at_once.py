# {"error": "python/unsupported", "line": 32}
# actor critic-ish with two heads and own loss; tape; return metrics
import tensorflow as tf
import numpy as np
from tensorflow.python import ipu
cfg = ipu.config.IPUConfig(); cfg.auto_select_ipus = 1; cfg.configure_ipu_system()
strategy = ipu.ipu_strategy.IPUStrategy()
obs = np.random.rand(2048, 8).astype(np.float32); act = np.random.randint(0, 4, 2048).astype(np.int32); ret = np.random.rand(2048).astype(np.float32)
ds = tf.data.Dataset.from_tensor_slices((obs, act, ret)).batch(64, drop_remainder=True).repeat()
class ActorCritic(tf.keras.Model):
    def __init__(self):
        super().__init__()
        self.common = tf.keras.layers.Dense(128, activation="relu")
        self.actor = tf.keras.layers.Dense(4)
        self.critic = tf.keras.layers.Dense(1)
    def call(self, x):
        h = self.common(x)
        return self.actor(h), self.critic(h)
with strategy.scope():
    model = ActorCritic()
    opt = tf.keras.optimizers.Adam(3e-4)
    @tf.function(experimental_compile=True)
    def step(o, a, r):
        with tf.GradientTape() as tape:
            logits, value = model(o)
            adv = r - tf.squeeze(value, -1)
            logp = tf.nn.log_softmax(logits)
            picked = tf.reduce_sum(tf.one_hot(a, 4) * logp, axis=1)
            actor = -tf.reduce_mean(picked * tf.stop_gradient(adv))
            critic = tf.reduce_mean(tf.square(adv))
            loss = actor + 0.5 * critic
        opt.apply_gradients(zip(tape.gradient(loss, model.trainable_variables), model.trainable_variables))
        return loss
    it = iter(ds)
    for i in range(100):
        strategy.run(step, args=next(it))
