# {"error": "python/unsupported", "line": 11, "says": "what len() of np.load() answers is not in the program"}
import numpy as np
import tensorflow as tf
from tensorflow.python import ipu

samples = np.load("samples.npy").astype("float32")


@tf.function(jit_compile=True)
def loop(iterator, rounds, model, optimizer):
    for _ in tf.range(rounds):
        batch = next(iterator)
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(model(batch) - batch))
        gradients = tape.gradient(loss, model.trainable_variables)
        optimizer.apply_gradients(zip(gradients, model.trainable_variables))


strategy = ipu.ipu_strategy.IPUStrategy()
with strategy.scope():
    model = tf.keras.Sequential([tf.keras.layers.Dense(8, input_shape=(8,))])
    optimizer = tf.keras.optimizers.SGD(0.1)
    iterator = iter(tf.data.Dataset.from_tensor_slices(samples).batch(48, drop_remainder=True).repeat())
    strategy.run(loop, args=(iterator, len(samples) // 48, model, optimizer))
