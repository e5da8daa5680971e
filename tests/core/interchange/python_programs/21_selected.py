# {"ipus": 16, "effective_batch": 32, "accumulation": 4, "steps_per_execution": 64}
import tensorflow as tf
from tensorflow import keras
from tensorflow.python import ipu
(x, y), _ = keras.datasets.mnist.load_data()
dataset = tf.data.Dataset.from_tensor_slices((x, y)).batch(8, drop_remainder=True).repeat()
cfg = ipu.utils.create_ipu_config()
cfg = ipu.utils.select_ipus(cfg, (3,))
ipu.utils.configure_ipu_system(cfg)
strategy = ipu.ipu_strategy.IPUStrategy()
with strategy.scope():
    model = ipu.keras.Sequential([keras.layers.Flatten(), keras.layers.Dense(10)], accumulation_count=4)
    model.compile('sgd', keras.losses.SparseCategoricalCrossentropy())
    model.fit(dataset, steps_per_epoch=16)
