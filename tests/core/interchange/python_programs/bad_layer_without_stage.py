# {"error": "value-error/stage-missing", "line": 10}
import tensorflow as tf
from tensorflow.python import ipu
with ipu.ipu_strategy.IPUStrategy().scope():
    inputs = tf.keras.Input((10,))
    with ipu.keras.PipelineStage(0):
        x = tf.keras.layers.Dense(20)(inputs)
    with ipu.keras.PipelineStage(1):
        x = tf.keras.layers.Dense(20)(x)
    x = tf.keras.layers.Dense(4)(x)
    model = tf.keras.Model(inputs, x)
    model.set_pipelining_options(gradient_accumulation_steps_per_replica=4)
    model.compile("sgd", "mse", steps_per_execution=4)
    model.fit(tf.zeros((32, 10)), tf.zeros((32, 4)), batch_size=4)
