# {"batch": 50, "classes": ["InputLayer", "Dense", "Functional"], "steps_per_epoch": 1200, "epochs": 3, "no_warning": "python/other-model"}
import numpy as np
import tensorflow as tf
from tensorflow.python import ipu

strategy = ipu.ipu_strategy.IPUStrategy()


@tf.function(jit_compile=True)
def loop(iterator, steps, encoder, decoder, optimizer):
    for _ in tf.range(steps):
        image = next(iterator)
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(decoder(encoder(image)) - image))
        variables = encoder.trainable_variables + decoder.trainable_variables
        optimizer.apply_gradients(zip(tape.gradient(loss, variables), variables))


with strategy.scope():
    image = tf.keras.Input((784,))
    encoder = tf.keras.Model(image, tf.keras.layers.Dense(16)(image), name="encoder")
    code = tf.keras.Input((16,))
    decoder = tf.keras.Model(code, tf.keras.layers.Dense(784)(code), name="decoder")
    optimizer = tf.keras.optimizers.Adam(1e-3)
    images = np.zeros((60000, 784), "float32")
    dataset = tf.data.Dataset.from_tensor_slices(images).batch(50, drop_remainder=True).repeat()
    iterator = iter(dataset)
    for epoch in range(3):
        strategy.run(loop, args=(iterator, 1200, encoder, decoder, optimizer))
