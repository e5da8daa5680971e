# {"config": [1, "bias_regularizer", {"class_name": "L2", "config": {"l2": 5e-05}}], "loss": "MeanSquaredError"}
import numpy as np
import tensorflow as tf
from tensorflow import keras
from tensorflow.python import ipu

cfg = ipu.config.IPUConfig()
cfg.auto_select_ipus = 2
cfg.configure_ipu_system()
strategy = ipu.ipu_strategy.IPUStrategy()

dataset = tf.data.Dataset.from_tensor_slices((tf.zeros((160, 4)), tf.zeros((160, 1)))).batch(8, drop_remainder=True)
model = keras.Sequential([keras.layers.Dense(1, input_shape=(4,))])
optimizer = keras.optimizers.SGD(0.1)
for x, y in dataset:
    with tf.GradientTape() as tape:
        loss = keras.losses.mean_squared_error(y, model(x))
        loss += 1e-4 * tf.add_n([tf.nn.l2_loss(v) for v in model.trainable_variables])
    optimizer.apply_gradients(zip(tape.gradient(loss, model.trainable_variables), model.trainable_variables))
