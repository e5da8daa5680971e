# {"classes": ["InputLayer", "Dense", "Dense"], "loss": "SparseLossFunction", "losses": [["one_hot", "nn.log_softmax", "math.multiply", "reduce_sum", "reduce_mean", "math.negative"]], "warning": "python/ignored"}
import tensorflow as tf, numpy as np
from tensorflow.python import ipu
cfg = ipu.config.IPUConfig(); cfg.auto_select_ipus = 1; cfg.configure_ipu_system()
strategy = ipu.ipu_strategy.IPUStrategy()
x = np.random.rand(320, 20).astype("float32"); y = np.random.randint(0, 5, 320)
ds = tf.data.Dataset.from_tensor_slices((x, y)).batch(16, drop_remainder=True)
with strategy.scope():
    model = tf.keras.Sequential([tf.keras.layers.Dense(32, activation="relu", input_shape=(20,)), tf.keras.layers.Dense(5)])
    opt = tf.keras.optimizers.SGD(0.01)
    @tf.function
    def step(x, y):
        with tf.GradientTape() as tape:
            logits = model(x + tf.random.normal(tf.shape(x), stddev=0.1), training=True)
            ll = tf.nn.log_softmax(logits)
            loss = -tf.reduce_mean(tf.reduce_sum(tf.one_hot(y, 5) * ll, axis=-1))
        opt.apply_gradients(zip(tape.gradient(loss, model.trainable_variables), model.trainable_variables))
        return loss
    for epoch in range(3):
        for xb, yb in ds:
            strategy.run(step, args=(xb, yb))
