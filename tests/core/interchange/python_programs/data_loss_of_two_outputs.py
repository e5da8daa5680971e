# {"classes": ["InputLayer", "Dense", "Dense", "Dense"], "epochs": 3, "steps_per_epoch": 20, "losses": ["SparseCategoricalCrossentropy", ["LossValue", "reduce_mean", "math.multiply"]]}
import tensorflow as tf, numpy as np
from tensorflow.python import ipu
cfg = ipu.config.IPUConfig(); cfg.auto_select_ipus = 1; cfg.configure_ipu_system()
strategy = ipu.ipu_strategy.IPUStrategy()
x = np.random.rand(320, 20).astype("float32"); y1 = np.random.randint(0, 5, 320); y2 = np.random.rand(320, 1).astype("float32")
ds = tf.data.Dataset.from_tensor_slices((x, (y1, y2))).batch(16, drop_remainder=True)
with strategy.scope():
    i = tf.keras.Input((20,))
    h = tf.keras.layers.Dense(32, activation="relu")(i)
    a = tf.keras.layers.Dense(5, name="cls")(h); b = tf.keras.layers.Dense(1, name="reg")(h)
    model = tf.keras.Model(i, [a, b])
    opt = tf.keras.optimizers.SGD(0.01)
    ce = tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True); mse = tf.keras.losses.MeanSquaredError()
    @tf.function
    def step(x, y):
        with tf.GradientTape() as tape:
            logits, value = model(x, training=True)
            loss = ce(y[0], logits) + 0.3 * mse(y[1], value)
        opt.apply_gradients(zip(tape.gradient(loss, model.trainable_variables), model.trainable_variables))
        return loss
    for epoch in range(3):
        for xb, yb in ds:
            strategy.run(step, args=(xb, yb))
