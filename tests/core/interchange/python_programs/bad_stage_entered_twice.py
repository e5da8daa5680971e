# {"error": "runtime-error/nested-stage", "line": 9}
import contextlib
import tensorflow as tf
from tensorflow.python import ipu
with ipu.ipu_strategy.IPUStrategy().scope():
    x = inputs = tf.keras.Input((8,))
    with contextlib.ExitStack() as stack:
        for i in range(2):
            stack.enter_context(ipu.keras.PipelineStage(i))
            x = tf.keras.layers.Dense(8)(x)
    model = tf.keras.Model(inputs, x)
