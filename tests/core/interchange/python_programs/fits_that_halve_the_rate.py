# {"epochs": 3, "callbacks": [{"class_name": "LearningRateScheduler", "config": {"schedule": [0.5, 0.25, 0.125]}}], "no_warning": "python/ignored"}
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
    model.compile(tf.keras.optimizers.SGD(0.5), tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True), steps_per_execution=8)
    for epoch in range(3):
        model.fit(ds, epochs=1, steps_per_epoch=40)
        tf.keras.backend.set_value(model.optimizer.lr, model.optimizer.lr * 0.5)
