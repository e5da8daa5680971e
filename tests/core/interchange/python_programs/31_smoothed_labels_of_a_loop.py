# {"losses": [["one_hot", "math.multiply", "__operators__.add", "LossValue", "reduce_mean"]], "steps_per_epoch": 48, "optimizer": "SGD"}
import numpy as np
import tensorflow as tf
from tensorflow import keras
from tensorflow.python import ipu

config = ipu.config.IPUConfig()
config.auto_select_ipus = 1
config.configure_ipu_system()
x = np.random.rand(64, 8).astype(np.float32)
y = np.random.randint(0, 3, 64).astype(np.int32)
dataset = tf.data.Dataset.from_tensor_slices((x, y)).repeat().batch(4, drop_remainder=True)
strategy = ipu.ipu_strategy.IPUStrategy()
with strategy.scope():
    model = keras.Sequential([keras.layers.Dense(16, input_shape=(8,)), keras.layers.Dense(3)])
    optimizer = keras.optimizers.get({"class_name": "SGD", "config": {"learning_rate": 0.1}})

    @tf.function(experimental_compile=True)
    def run(iterator):
        for _ in tf.range(16):
            x, y = next(iterator)
            with tf.GradientTape() as tape:
                labels = tf.one_hot(y, 3) * 0.9 + 0.1 / 3
                loss = tf.reduce_mean(tf.nn.softmax_cross_entropy_with_logits(labels=labels, logits=model(x)))
            gradients = tape.gradient(loss, model.trainable_variables)
            optimizer.apply_gradients(zip(gradients, model.trainable_variables))

    iterator = iter(dataset)
    for _ in range(3):
        strategy.run(run, args=(iterator,))
