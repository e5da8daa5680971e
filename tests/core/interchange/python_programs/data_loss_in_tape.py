# {"classes": ["InputLayer", "Dense", "Dense"], "loss": "LossFunction", "optimizer": "Adam", "steps_per_epoch": 40, "losses": [["math.subtract", "square", "reduce_mean"]]}
import tensorflow as tf
from tensorflow.python import ipu
import numpy as np
cfg = ipu.config.IPUConfig()
cfg.auto_select_ipus = 1
cfg.configure_ipu_system()
strategy = ipu.ipu_strategy.IPUStrategy()
x = np.random.rand(640, 13).astype(np.float32)
y = np.random.rand(640, 1).astype(np.float32)
ds = tf.data.Dataset.from_tensor_slices((x, y)).batch(16, drop_remainder=True).repeat()
with strategy.scope():
    model = tf.keras.Sequential([tf.keras.layers.Dense(32, activation='relu', input_shape=(13,)), tf.keras.layers.Dense(1)])
    opt = tf.keras.optimizers.Adam(1e-3)

    @tf.function(experimental_compile=True)
    def train_step(xb, yb):
        with tf.GradientTape() as tape:
            pred = model(xb, training=True)
            err = yb - pred
            loss = tf.reduce_mean(tf.square(err))
        grads = tape.gradient(loss, model.trainable_variables)
        opt.apply_gradients(zip(grads, model.trainable_variables))
        return loss

    it = iter(ds)
    for step in range(40):
        xb, yb = next(it)
        loss = strategy.run(train_step, args=(xb, yb))
        if step % 10 == 0:
            print(step, loss)
