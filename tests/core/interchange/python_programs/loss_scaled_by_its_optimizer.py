# {"optimizer": "LossScaleOptimizer", "loss": "SparseCategoricalCrossentropy", "optimizer_config": {"inner_optimizer": {"class_name": "SGD", "config": {"learning_rate": 0.1}}, "dynamic": false, "initial_scale": 64}}
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
    optimizer = tf.keras.mixed_precision.LossScaleOptimizer(tf.keras.optimizers.SGD(0.1), dynamic=False, initial_scale=64)
    @tf.function(experimental_compile=True)
    def train(it):
        for _ in tf.range(20):
            x, y = next(it)
            with tf.GradientTape() as tape:
                loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels=y, logits=model(x)))
                scaled = optimizer.get_scaled_loss(loss)
            grads = tape.gradient(scaled, model.trainable_variables)
            grads = optimizer.get_unscaled_gradients(grads)
            optimizer.apply_gradients(zip(grads, model.trainable_variables))
    it = iter(ds)
    strategy.run(train, args=(it,))
