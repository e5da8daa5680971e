# {"optimizer_config": {"learning_rate": {"class_name": "PiecewiseConstantDecay", "config": {"boundaries": [0, 1, 2], "values": [1.0, 0.5, 0.25, 0.125]}}}, "accumulation": 4, "no_warning": "python/ignored"}
import numpy as np
import tensorflow as tf
from tensorflow.python import ipu

# 32 batches of two epochs, shared by two replicas, in groups of 4: 4 updates of the weights.
config = ipu.config.IPUConfig()
config.auto_select_ipus = 2
config.configure_ipu_system()


class Halving(tf.keras.optimizers.schedules.LearningRateSchedule):
    def __call__(self, step):
        return tf.pow(0.5, tf.cast(step, tf.float32))


with ipu.ipu_strategy.IPUStrategy().scope():
    model = tf.keras.Sequential([tf.keras.layers.Dense(1, input_shape=(3,))])
    model.set_gradient_accumulation_options(gradient_accumulation_steps_per_replica=4)
    model.compile(tf.keras.optimizers.SGD(Halving()), "mse", steps_per_execution=8)
    model.fit(np.zeros((128, 3)), np.zeros((128, 1)), batch_size=8, epochs=2)
