# {"batch": 8, "steps_per_epoch": 40, "loss": "MeanSquaredError"}
import itertools

import numpy as np
import tensorflow as tf
from tensorflow import keras
from tensorflow.python import ipu

config = ipu.config.IPUConfig()
config.auto_select_ipus = 1
config.configure_ipu_system()
data = tf.data.Dataset.from_tensor_slices((np.zeros((160, 4), np.float32), np.zeros((160, 1), np.float32)))
data = data.batch(8, drop_remainder=True).repeat()
strategy = ipu.ipu_strategy.IPUStrategy()
with strategy.scope():
    model = keras.Sequential([keras.layers.Dense(1, input_shape=(4,))])
    optimizer = keras.optimizers.SGD(0.1)

    @tf.function
    def step(x, y):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(keras.losses.mean_squared_error(y, model(x)))
        optimizer.apply_gradients(zip(tape.gradient(loss, model.trainable_variables), model.trainable_variables))
        return loss

    for number, (x, y) in enumerate(itertools.islice(data, 40)):
        strategy.run(step, args=(x, y))
