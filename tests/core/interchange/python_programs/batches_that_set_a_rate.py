# {"epochs": 3, "optimizer_config": {"learning_rate": {"class_name": "PiecewiseConstantDecay", "config": {"boundaries": [9, 19], "values": [0.5, 0.25, 0.125]}}}, "no_warning": "python/ignored"}
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
    model.compile(tf.keras.optimizers.SGD(0.5), tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True))
    it = iter(ds)
    for epoch in range(3):
        for _ in range(10):
            model.train_on_batch(*next(it))
        model.optimizer.learning_rate.assign(model.optimizer.learning_rate * 0.5)
