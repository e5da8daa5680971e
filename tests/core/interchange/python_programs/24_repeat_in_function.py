# {"batch": 16, "steps_per_execution": 100, "steps_per_epoch": 200, "optimizer": "SGD", "loss": "MeanSquaredError"}
import numpy as np
import tensorflow as tf
from tensorflow import keras
from tensorflow.python import ipu

cfg = ipu.config.IPUConfig()
cfg.auto_select_ipus = 2
cfg.configure_ipu_system()
strategy = ipu.ipu_strategy.IPUStrategy()

dataset = tf.data.Dataset.from_tensor_slices((np.zeros((64, 8), np.float32), np.zeros((64, 1), np.float32)))
infeed = ipu.ipu_infeed_queue.IPUInfeedQueue(dataset.repeat().batch(16, drop_remainder=True))
outfeed = ipu.ipu_outfeed_queue.IPUOutfeedQueue()
with strategy.scope():
    model = keras.Sequential([keras.layers.Dense(1, input_shape=(8,))])
    optimizer = keras.optimizers.SGD(0.05)

    @tf.function(experimental_compile=True)
    def train(n):
        def body(x, y):
            with tf.GradientTape() as tape:
                loss = tf.reduce_mean(keras.losses.mean_squared_error(y, model(x)))
            optimizer.apply_gradients(zip(tape.gradient(loss, model.trainable_variables), model.trainable_variables))
            outfeed.enqueue(loss)
        ipu.loops.repeat(n, body, [], infeed)

    strategy.run(train, args=[100])
