# {"optimizer_config": {"gradient_decay": 0.2, "learning_rate": 0.05}}
import tensorflow as tf
from tensorflow import keras
from tensorflow.python import ipu
(x, y), _ = keras.datasets.mnist.load_data()
dataset = tf.data.Dataset.from_tensor_slices((x, y)).batch(8, drop_remainder=True).repeat()
strategy = ipu.ipu_strategy.IPUStrategy()
with strategy.scope():
    model = keras.Sequential([keras.layers.Flatten(), keras.layers.Dense(16, activation='relu'), keras.layers.Dense(10)])
    model.compile(ipu.keras.optimizers.MapGradientOptimizer(keras.optimizers.SGD(0.1), lambda g, v: 0.5 * g + 0.1 * v), 'mse')
