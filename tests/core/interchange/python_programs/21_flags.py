# {"options": {"floating_point_behaviour.inv": true, "floating_point_behaviour.div0": true, "floating_point_behaviour.oflo": true, "floating_point_behaviour.esr": false, "floating_point_behaviour.nanoo": true, "allow_recompute": true}}
import tensorflow as tf
from tensorflow import keras
from tensorflow.python import ipu
(x, y), _ = keras.datasets.mnist.load_data()
dataset = tf.data.Dataset.from_tensor_slices((x, y)).batch(8, drop_remainder=True).repeat()
cfg = ipu.utils.create_ipu_config()
cfg = ipu.utils.set_floating_point_behaviour_options(cfg, esr=False)
cfg = ipu.utils.set_recomputation_options(cfg)
ipu.utils.configure_ipu_system(cfg)
strategy = ipu.ipu_strategy.IPUStrategy()
with strategy.scope():
    model = ipu.keras.PipelineSequential([[keras.layers.Flatten(), keras.layers.Dense(16)], [keras.layers.Dense(10)]], gradient_accumulation_count=8)
    model.compile('sgd', keras.losses.SparseCategoricalCrossentropy())
