# {"optimizer": "LossScaleOptimizer", "loss": "SparseCategoricalCrossentropy", "optimizer_config": {"inner_optimizer": {"class_name": "Adam", "config": {"learning_rate": 0.001}}, "dynamic": false, "initial_scale": 1024.0}}
import numpy as np
import tensorflow as tf
from tensorflow.python import ipu
cfg = ipu.config.IPUConfig()
cfg.auto_select_ipus = 1
cfg.configure_ipu_system()
x = np.random.rand(640, 8).astype("float32")
y = np.random.randint(0, 3, 640)
ds = tf.data.Dataset.from_tensor_slices((x, y)).batch(16, drop_remainder=True).repeat()
strategy = ipu.ipu_strategy.IPUStrategy()
with strategy.scope():
    model = tf.keras.Sequential([tf.keras.layers.Dense(3, input_shape=(8,))])
    class Scaler:
        def __init__(self, scale):
            self.scale = scale
        def up(self, loss):
            return tf.multiply(loss, self.scale)
        def down(self, grads):
            return tf.nest.map_structure(lambda g: tf.cast(g, tf.float32) * (1 / self.scale), grads)
    scaler = Scaler(2.0 ** 10)
    optimizer = tf.keras.optimizers.Adam(0.001)
    @tf.function(experimental_compile=True)
    def train(it):
        for _ in tf.range(20):
            x, y = next(it)
            with tf.GradientTape() as tape:
                loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels=y, logits=model(x)))
                scaled = scaler.up(loss)
            grads = tape.gradient(scaled, model.trainable_variables)
            grads = scaler.down(grads)
            optimizer.apply_gradients(zip(grads, model.trainable_variables))
    it = iter(ds)
    strategy.run(train, args=(it,))
