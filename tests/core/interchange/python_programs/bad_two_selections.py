# {"error": "value-error/two-selections"}
import tensorflow as tf
from tensorflow import keras
from tensorflow.python import ipu
(x, y), _ = keras.datasets.mnist.load_data()
dataset = tf.data.Dataset.from_tensor_slices((x, y)).batch(8, drop_remainder=True).repeat()
config = ipu.config.IPUConfig()
config.auto_select_ipus = 2
config.select_ipus = [0, 1]
