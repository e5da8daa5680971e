# {"parameters": 600, "classes": ["InputLayer", "Variable", "SerializedMatmul"]}
import tensorflow as tf
from tensorflow.python import ipu


class Wide(tf.keras.layers.Layer):
    def build(self, shape):
        self.kernel = self.add_weight("kernel", shape=(shape[-1], 100))

    def call(self, x):
        return ipu.math_ops.serialized_matmul(x, self.kernel, 3, "a_rows_b_columns")


given = tf.keras.Input((6,), batch_size=8)
net = tf.keras.Model(given, Wide()(given))
net.compile("sgd", "mse")
net.fit(tf.zeros([64, 6]), tf.zeros([64, 100]), batch_size=8)
