# {"steps_per_epoch": 40, "optimizer_config": {"learning_rate": {"class_name": "PiecewiseConstantDecay", "config": {"boundaries": [9, 19, 29], "values": [0.4, 0.3, 0.2, 0.1]}}}, "no_warning": "python/ignored"}
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
    optimizer = tf.keras.optimizers.SGD(0.1)
    @tf.function(experimental_compile=True)
    def train(it):
        if True:
            x, y = it
            with tf.GradientTape() as tape:
                loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels=y, logits=model(x)))
                pass
            grads = tape.gradient(loss, model.trainable_variables)
            pass
            optimizer.apply_gradients(zip(grads, model.trainable_variables))
    for step, batch in enumerate(ds.take(40)):
        optimizer.learning_rate = [0.4, 0.3, 0.2, 0.1][step // 10]
        strategy.run(train, args=(batch,))
