# {"stages": 2, "schedule": "Interleaved", "accumulation": 8, "effective_batch": 64, "replicas": 1}
import tensorflow as tf
from tensorflow import keras
from tensorflow.python import ipu
(x, y), _ = keras.datasets.mnist.load_data()
dataset = tf.data.Dataset.from_tensor_slices((x, y)).batch(8, drop_remainder=True).repeat()
config = ipu.config.IPUConfig()
config.auto_select_ipus = 2
config.configure_ipu_system()
strategy = ipu.ipu_strategy.IPUStrategy()
with strategy.scope():
    model = keras.Sequential([keras.layers.Flatten(), keras.layers.Dense(16, activation='relu'), keras.layers.Dense(10)])
    model.set_pipeline_stage_assignment([0, 0, 1])
    model.compile('sgd', keras.losses.SparseCategoricalCrossentropy(from_logits=True), steps_per_execution=16)
    model.set_pipelining_options(gradient_accumulation_steps_per_replica=8, pipeline_schedule=ipu.ops.pipelining_ops.PipelineSchedule.Interleaved)
    model.fit(dataset, steps_per_epoch=16, epochs=2)
