# {"batch": 50, "classes": ["Dense", "Dense", "InputLayer", "Sequential"], "steps_per_epoch": 1200, "epochs": 3, "no_warning": "python/other-model"}
import numpy as np
import tensorflow as tf
from tensorflow.python import ipu

strategy = ipu.ipu_strategy.IPUStrategy()


@tf.function(jit_compile=True)
def loop(iterator, steps, body, head, optimizer):
    for _ in tf.range(steps):
        samples, labels = next(iterator)
        with tf.GradientTape() as tape:
            losses = tf.keras.losses.sparse_categorical_crossentropy(labels, head(body(samples)), from_logits=True)
            loss = tf.reduce_mean(losses)
        variables = body.trainable_variables + head.trainable_variables
        optimizer.apply_gradients(zip(tape.gradient(loss, variables), variables))


with strategy.scope():
    body = tf.keras.Sequential([tf.keras.layers.Dense(32, input_shape=(784,)), tf.keras.layers.Dense(16)])
    head = tf.keras.Sequential([tf.keras.layers.Dense(10, input_shape=(16,))])
    optimizer = tf.keras.optimizers.Adam(1e-3)
    arrays = (np.zeros((60000, 784), "float32"), np.zeros(60000, "int32"))
    dataset = tf.data.Dataset.from_tensor_slices(arrays).batch(50, drop_remainder=True).repeat()
    iterator = iter(dataset)
    for epoch in range(3):
        strategy.run(loop, args=(iterator, 1200, body, head, optimizer))
