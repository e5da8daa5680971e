# {"error": "python/mixed-api", "line": 6}
import tensorflow as tf
from tensorflow.python import ipu
model = ipu.keras.PipelineSequential([[tf.keras.layers.Dense(16, input_shape=(8,))],
                                      [tf.keras.layers.Dense(4)]], gradient_accumulation_count=8)
model.compile("sgd", "mse", steps_per_execution=8)
model.fit(tf.zeros([64, 8]), tf.zeros([64, 4]), batch_size=4)
