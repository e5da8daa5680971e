# {"error": "runtime-error/no-strategy"}
import tensorflow as tf
from tensorflow import keras
from tensorflow.python import ipu
(x, y), _ = keras.datasets.mnist.load_data()
dataset = tf.data.Dataset.from_tensor_slices((x, y)).batch(8, drop_remainder=True).repeat()
i = keras.Input((4,))
with ipu.keras.PipelineStage(0):
    x = keras.layers.Dense(2)(i)
