# {"optimizer": "SGD", "epochs": 4, "callbacks": [{"class_name": "LearningRateScheduler", "config": {"schedule": [0.4, 0.4, 0.2, 0.1]}}, {"class_name": "EarlyStopping", "config": {"monitor": "loss", "patience": 3}}], "batch": 16}
import numpy as np
import tensorflow as tf
from tensorflow.keras.callbacks import EarlyStopping, LearningRateScheduler
from tensorflow.python import ipu

cfg = ipu.config.IPUConfig()
cfg.auto_select_ipus = 1
cfg.configure_ipu_system()


def step_decay(epoch, lr):
    return lr if epoch < 2 else lr * 0.5


x = np.zeros((256, 8), np.float32)
y = np.zeros((256,), np.int32)
with ipu.ipu_strategy.IPUStrategy().scope():
    model = tf.keras.Sequential([tf.keras.layers.Dense(4, input_shape=(8,))])
    model.compile(tf.keras.optimizers.SGD(0.4), tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True),
                  steps_per_execution=16)
    model.fit(x, y, batch_size=16, epochs=4,
              callbacks=[LearningRateScheduler(step_decay, verbose=1), EarlyStopping(monitor="loss", patience=3)])
