# {"ipus": 4, "options": {"auto_select_ipus": [2, 1]}}
import tensorflow as tf
from tensorflow import keras
from tensorflow.python import ipu
(x, y), _ = keras.datasets.mnist.load_data()
dataset = tf.data.Dataset.from_tensor_slices((x, y)).batch(8, drop_remainder=True).repeat()
cfg = ipu.utils.create_ipu_config()
cfg = ipu.utils.auto_select_ipus(cfg, (2, 1))
ipu.utils.configure_ipu_system(cfg)
strategy = ipu.ipu_strategy.IPUStrategy()
with strategy.scope():
    model = ipu.keras.PipelineSequential([[keras.layers.Flatten(), keras.layers.Dense(16)], [keras.layers.Dense(10)]], gradient_accumulation_count=8)
    model.compile('sgd', keras.losses.SparseCategoricalCrossentropy())
