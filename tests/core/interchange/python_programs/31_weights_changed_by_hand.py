# {"optimizer": "SGD", "optimizer_config": {"learning_rate": 0.05}, "loss": "MeanSquaredError", "steps_per_epoch": 16}
import numpy as np
import tensorflow as tf
from tensorflow import keras
from tensorflow.python import ipu

config = ipu.config.IPUConfig()
config.auto_select_ipus = 1
config.configure_ipu_system()
x = np.random.rand(64, 8).astype(np.float32)
dataset = tf.data.Dataset.from_tensor_slices((x, x)).repeat().batch(4, drop_remainder=True)
strategy = ipu.ipu_strategy.IPUStrategy()
with strategy.scope():
    model = keras.Sequential([keras.layers.Dense(8, input_shape=(8,))])
    loss_of = keras.losses.get("mean_squared_error")

    @tf.function(experimental_compile=True)
    def run(iterator):
        for _ in tf.range(16):
            x, y = next(iterator)
            with tf.GradientTape() as tape:
                loss = tf.reduce_mean(loss_of(y, model(x)))
            gradients = tape.gradient(loss, model.trainable_variables)
            for variable, gradient in zip(model.trainable_variables, gradients):
                variable.assign_sub(0.05 * gradient)
            for variable in model.trainable_variables:
                variable.assign_sub(1e-3 * variable)

    strategy.run(run, args=(iter(dataset),))
