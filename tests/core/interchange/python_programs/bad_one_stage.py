# {"error": "value-error/pipeline-stages", "line": 5}
import tensorflow as tf
from tensorflow.python import ipu
model = tf.keras.Sequential([tf.keras.layers.Dense(8, input_shape=(8,)), tf.keras.layers.Dense(8)])
model.set_pipeline_stage_assignment([0, 0])
model.set_pipelining_options(gradient_accumulation_steps_per_replica=4)
model.compile("sgd", "mse", steps_per_execution=4)
model.fit(tf.zeros([64, 8]), tf.zeros([64, 8]), batch_size=4)
