# {"classes": ["InputLayer", "Dense", "Dense"], "input": [null, 6], "steps_per_epoch": 50, "epochs": 3, "batch": 20, "optimizer": "Adam"}
import tensorflow as tf
from tensorflow import keras
from tensorflow.python import ipu

cfg = ipu.config.IPUConfig()
cfg.auto_select_ipus = 1
cfg.configure_ipu_system()
strategy = ipu.ipu_strategy.IPUStrategy()

import numpy as np
import time
x = np.ones((1000, 6), np.float32); y = np.ones((1000, 1), np.float32)
ds = tf.data.Dataset.from_tensor_slices((x, y)).batch(20, drop_remainder=True)
loss_fn = keras.losses.MeanSquaredError()
with strategy.scope():
    model = keras.Sequential([keras.layers.Dense(3, activation="relu"), keras.layers.Dense(1)])
    optimizer = keras.optimizers.Adam(1e-3)
    train_loss = keras.metrics.Mean(name="train_loss")

    @tf.function(experimental_compile=True)
    def train_step(features, target):
        with tf.GradientTape() as tape:
            loss = loss_fn(target, model(features, training=True))
        grads = tape.gradient(loss, model.trainable_variables)
        optimizer.apply_gradients(zip(grads, model.trainable_variables))
        train_loss.update_state(loss)
        return loss

    for epoch in range(3):
        start = time.time()
        for step, (features, target) in enumerate(ds):
            loss = strategy.run(train_step, args=(features, target))
            if step % 10 == 0:
                print(f"epoch {epoch} step {step}: {loss:.4f}", float(loss))
        print("took %.2f s, loss %f" % (time.time() - start, train_loss.result()))
        train_loss.reset_states()
