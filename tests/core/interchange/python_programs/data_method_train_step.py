# {"classes": ["InputLayer", "Dense", "Dense"], "input": [null, 9], "steps_per_epoch": 30, "epochs": 2, "batch": 10, "optimizer": "RMSprop", "loss": "SparseCategoricalCrossentropy"}
import tensorflow as tf
from tensorflow import keras
from tensorflow.python import ipu

cfg = ipu.config.IPUConfig()
cfg.auto_select_ipus = 1
cfg.configure_ipu_system()
strategy = ipu.ipu_strategy.IPUStrategy()

class Loop:
    def __init__(self, model, optimizer, loss):
        self.model, self.optimizer, self.loss = model, optimizer, loss
        self.seen = 0
    @tf.function
    def step(self, batch):
        x, y = batch
        with tf.GradientTape() as tape:
            out = self.model(x, training=True)
            value = self.loss(y, out)
            value += tf.add_n(self.model.losses) if self.model.losses else 0.0
        variables = self.model.trainable_variables
        grads = tape.gradient(value, variables)
        grads, norm = tf.clip_by_global_norm(grads, 5.0)
        self.optimizer.apply_gradients(list(zip(grads, variables)))
        return value
    def fit(self, data, epochs):
        for epoch in range(1, epochs + 1):
            total = 0.0
            for batch in data:
                total += float(strategy.run(self.step, args=(batch,)))
                self.seen += 1
            print(f"epoch {epoch:>3}: {total / self.seen:.4f}")
with strategy.scope():
    net = keras.Sequential([keras.layers.Dense(5, activation="relu", kernel_regularizer=keras.regularizers.l2(1e-4)), keras.layers.Dense(2)])
    data = tf.data.Dataset.from_tensor_slices((tf.zeros([300, 9]), tf.zeros([300], tf.int32))).batch(10, drop_remainder=True)
    Loop(net, keras.optimizers.RMSprop(1e-3), keras.losses.SparseCategoricalCrossentropy(from_logits=True)).fit(data, 2)
