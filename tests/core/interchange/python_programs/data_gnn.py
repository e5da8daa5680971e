# {"epochs": 3, "batch": 12}
import numpy as np
import tensorflow as tf
from tensorflow.keras import layers, regularizers
from tensorflow.python import ipu

N_NODES, N_FEAT, N_CLASS = 20, 11, 4


class GraphConv(layers.Layer):
    def __init__(self, units, activation=None, **kwargs):
        super().__init__(**kwargs)
        self.units = units
        self.activation = tf.keras.activations.get(activation)

    def build(self, input_shape):
        feat, adj = input_shape
        self.kernel = self.add_weight("kernel", shape=(feat[-1], self.units),
                                      initializer="glorot_uniform")
        self.self_kernel = self.add_weight("self_kernel", shape=(feat[-1], self.units),
                                           initializer="glorot_uniform")
        self.bias = self.add_weight("bias", shape=(self.units,), initializer="zeros")

    def call(self, inputs):
        x, adj = inputs
        neighbours = tf.matmul(adj, x)
        degree = tf.reduce_sum(adj, axis=-1, keepdims=True) + 1.0
        y = tf.matmul(neighbours / degree, self.kernel) + tf.matmul(x, self.self_kernel)
        return self.activation(y + self.bias)


def model_fn():
    x_in = layers.Input((N_NODES, N_FEAT), name="x")
    a_in = layers.Input((N_NODES, N_NODES), name="adj")
    h = GraphConv(32, "relu")([x_in, a_in])
    h = GraphConv(32, "relu")([h, a_in])
    g = layers.Lambda(lambda t: tf.reduce_max(t, axis=1), name="readout")(h)
    g = layers.Dense(16, activation="relu", kernel_regularizer=regularizers.l2(1e-3))(g)
    return tf.keras.Model([x_in, a_in], layers.Dense(N_CLASS)(g))


def graphs(n=600):
    x = np.random.normal(size=(n, N_NODES, N_FEAT)).astype(np.float32)
    a = (np.random.uniform(size=(n, N_NODES, N_NODES)) < 0.2).astype(np.float32)
    a = np.maximum(a, a.transpose(0, 2, 1))
    return [x, a], np.random.randint(N_CLASS, size=n).astype(np.int32)


cfg = ipu.config.IPUConfig()
cfg.auto_select_ipus = 1
cfg.configure_ipu_system()
with ipu.ipu_strategy.IPUStrategy().scope():
    net = model_fn()
    net.compile(optimizer=tf.keras.optimizers.Adamax(2e-3),
                loss=tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True),
                metrics=[tf.keras.metrics.SparseCategoricalAccuracy()],
                steps_per_execution=10)
    inputs, labels = graphs()
    net.fit(inputs, labels, batch_size=12, epochs=3, shuffle=False)
    print(net.predict(inputs, batch_size=12).shape)
