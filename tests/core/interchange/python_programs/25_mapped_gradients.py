# {"optimizer": "SGD", "optimizer_config": {"clipnorm": 0.5}}
import tensorflow as tf
from tensorflow import keras
from tensorflow.python import ipu
(x, y), _ = keras.datasets.mnist.load_data()
dataset = tf.data.Dataset.from_tensor_slices((x, y)).batch(8, drop_remainder=True).repeat()
strategy = ipu.ipu_strategy.IPUStrategy()
with strategy.scope():
    model = keras.Sequential([keras.layers.Flatten(), keras.layers.Dense(16, activation='relu'), keras.layers.Dense(10)])
    model.compile(ipu.keras.optimizers.MapGradientOptimizer(keras.optimizers.SGD(), lambda g, v: tf.clip_by_norm(g, 0.5)), 'mse')
