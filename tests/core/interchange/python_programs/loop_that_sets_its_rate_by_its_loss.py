# {"steps_per_epoch": 60, "optimizer_config": {"learning_rate": 0.5}, "warning": "python/ignored", "says": "only a run knows it"}
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
    optimizer = tf.keras.optimizers.SGD(0.5)
    queue = ipu.ipu_outfeed_queue.IPUOutfeedQueue()
    @tf.function(experimental_compile=True)
    def train(it):
        for _ in tf.range(20):
            x, y = next(it)
            with tf.GradientTape() as tape:
                loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels=y, logits=model(x)))
                pass
            grads = tape.gradient(loss, model.trainable_variables)
            queue.enqueue(loss)
            optimizer.apply_gradients(zip(grads, model.trainable_variables))
    it = iter(ds)
    best = 10.0
    for step in range(3):
        strategy.run(train, args=(it,))
        loss = np.mean(queue.dequeue())
        if loss > best:
            optimizer.lr = optimizer.lr * 0.5
