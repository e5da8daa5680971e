# {"error": "python/unsupported", "line": 6, "says": "MinMaxNorm"}
import tensorflow as tf
class Clip(tf.keras.constraints.Constraint):
    def __init__(self, c): self.c = c
    def __call__(self, w): return tf.clip_by_value(w, -self.c, self.c)
m = tf.keras.Sequential([tf.keras.layers.Dense(16, kernel_constraint=Clip(0.01), input_shape=(8,))])
m.compile("sgd", "mse")
