# {"optimizer_config": {"learning_rate": {"class_name": "PiecewiseConstantDecay", "config": {"boundaries": [0, 1, 2, 3], "values": [0.0, 0.25, 0.5, 0.75, 1.0]}}}, "no_warning": "python/ignored"}
import numpy as np
import tensorflow as tf


class Warmup(tf.keras.optimizers.schedules.LearningRateSchedule):
    def __init__(self, peak, steps):
        super().__init__()
        self.peak, self.steps = peak, steps

    def __call__(self, step):
        return tf.minimum(self.peak * tf.cast(step, tf.float32) / self.steps, self.peak)


model = tf.keras.Sequential([tf.keras.layers.Dense(1, input_shape=(3,))])
model.compile(tf.keras.optimizers.SGD(Warmup(1.0, 4)), "mse")
model.fit(np.zeros((64, 3)), np.zeros((64, 1)), batch_size=8, epochs=2)
