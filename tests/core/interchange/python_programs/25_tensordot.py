# {"parameters": 144, "classes": ["InputLayer", "Reshape", "Dense", "Reshape", "TFOpLambda"], "batch": 4}
import tensorflow as tf
from tensorflow.python import ipu


class Projection(tf.keras.layers.Layer):
    def __init__(self, units):
        super().__init__()
        self.units = units

    def build(self, shape):
        self.kernel = self.add_weight(name="kernel", shape=(shape[-1], self.units))

    def call(self, x):
        return tf.tensordot(x, self.kernel, axes=[[2], [0]])


with ipu.ipu_strategy.IPUStrategy().scope():
    x = tf.keras.Input((4, 4, 9), 4)
    y = Projection(16)(tf.keras.layers.Reshape((16, 9))(x))
    y = tf.keras.layers.Reshape((4, 4, 16))(y)
    m = tf.keras.Model(x, tf.nn.depth_to_space(y, 2))
    m.compile("sgd", "mse", steps_per_execution=1)
    m.predict(tf.zeros((4, 4, 4, 9)), batch_size=4)
