# {"input": [null, 784], "batch": 100, "steps_per_epoch": 30, "steps_per_execution": 1, "optimizer": "SGD", "loss": "SparseCategoricalCrossentropy"}
import numpy as np
import tensorflow as tf
from tensorflow.python import ipu
images = np.random.rand(100, 784).astype(np.float32)
labels = np.random.randint(0, 10, 100).astype(np.int32)
strategy = ipu.ipu_strategy.IPUStrategy()
with strategy.scope():
    model = tf.keras.Sequential([tf.keras.layers.Dense(10)])
    model(np.zeros((1, 784), np.float32))
    optimizer = tf.keras.optimizers.SGD(0.1)
    loss_object = tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True)
    @tf.function(experimental_compile=True)
    def step(x, y):
        with tf.GradientTape() as tape:
            loss = loss_object(y, model(x))
        grads = tape.gradient(loss, model.trainable_variables)
        optimizer.apply_gradients(zip(grads, model.trainable_variables))
        return loss
    for i in range(30):
        print(i, strategy.run(step, args=(images, labels)))
