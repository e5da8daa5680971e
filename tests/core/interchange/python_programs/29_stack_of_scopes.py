# {"stages": 2, "stage_list": [0, 1], "accumulation": 4}
import contextlib
import tensorflow as tf
from tensorflow.python import ipu
class Timer:
    def __init__(self, spent):
        self.spent = spent
    def __enter__(self):
        return self
    def __exit__(self, *error):
        self.spent.append(1)
spent = []
with contextlib.ExitStack() as scopes:
    scopes.enter_context(ipu.ipu_strategy.IPUStrategy().scope())
    x = inputs = tf.keras.Input((8,))
    for i in range(2):
        with contextlib.ExitStack() as stack, Timer(spent):
            stack.enter_context(ipu.keras.PipelineStage(i))
            x = tf.keras.layers.Dense(8)(x)
    model = tf.keras.Model(inputs, x)
    model.set_pipelining_options(gradient_accumulation_steps_per_replica=2 * sum(spent))
    model.compile("sgd", "mse", steps_per_execution=4)
    model.fit(tf.zeros((64, 8)), tf.zeros((64, 8)), batch_size=4)
