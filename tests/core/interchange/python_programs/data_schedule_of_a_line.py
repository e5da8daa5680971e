# {"optimizer_config": {"learning_rate": {"class_name": "PolynomialDecay", "config": {"initial_learning_rate": 1.0, "decay_steps": 15, "end_learning_rate": 0.0625, "power": 1.0}}}, "no_warning": "python/ignored"}
import numpy as np
import tensorflow as tf


class Line(tf.keras.optimizers.schedules.LearningRateSchedule):
    def __call__(self, step):
        return 1.0 - tf.cast(step, tf.float32) / 16


model = tf.keras.Sequential([tf.keras.layers.Dense(1, input_shape=(3,))])
model.compile(tf.keras.optimizers.SGD(Line()), "mse")
model.fit(np.zeros((64, 3)), np.zeros((64, 1)), batch_size=8, epochs=2)
