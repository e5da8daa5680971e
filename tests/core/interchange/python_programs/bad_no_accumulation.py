# {"error": "value-error/gradient-accumulation-unset", "line": 7}
import tensorflow as tf
from tensorflow.python import ipu
model = tf.keras.Sequential([tf.keras.layers.Dense(8, input_shape=(8,)), tf.keras.layers.Dense(8)])
model.set_pipeline_stage_assignment([0, 1])
model.compile("sgd", "mse", steps_per_execution=4)
model.fit(tf.zeros([64, 8]), tf.zeros([64, 8]), batch_size=4)
