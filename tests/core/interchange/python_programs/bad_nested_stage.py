# {"error": "runtime-error/nested-stage"}
import tensorflow as tf
from tensorflow import keras
from tensorflow.python import ipu
(x, y), _ = keras.datasets.mnist.load_data()
dataset = tf.data.Dataset.from_tensor_slices((x, y)).batch(8, drop_remainder=True).repeat()
strategy = ipu.ipu_strategy.IPUStrategy()
with strategy.scope():
    i = keras.Input((4,))
    with ipu.keras.PipelineStage(0):
        with ipu.keras.PipelineStage(1):
            x = keras.layers.Dense(2)(i)
