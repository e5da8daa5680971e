# {"classes": ["InputLayer", "Dense"], "optimizer": "Adam", "warning": "python/ignored"}
import tensorflow as tf
from tensorflow import keras


class Warmup(keras.optimizers.schedules.LearningRateSchedule):
    def __init__(self, width, warmup_steps=4000):
        super().__init__()
        self.width = tf.cast(width, tf.float32)
        self.warmup_steps = warmup_steps

    def __call__(self, step):
        step = tf.cast(step, tf.float32)
        return tf.math.rsqrt(self.width) * tf.math.minimum(tf.math.rsqrt(step), step * (self.warmup_steps ** -1.5))


model = keras.Sequential([keras.layers.Dense(3, input_shape=(4,))])
model.compile(keras.optimizers.Adam(Warmup(128), beta_2=0.98), "mse")
