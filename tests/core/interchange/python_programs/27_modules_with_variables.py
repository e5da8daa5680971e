# {"classes": ["InputLayer", "Dense", "TFOpLambda", "Dense"], "epochs": 3, "batch": 16, "steps_per_epoch": 40, "loss": "SparseCategoricalCrossentropy", "optimizer": "SGD", "parameters": 837}
import tensorflow as tf
from tensorflow.python import ipu


class OwnDense(tf.Module):
    def __init__(self, inputs, outputs, name=None):
        super().__init__(name=name)
        self.w = tf.Variable(tf.random.normal([inputs, outputs], stddev=0.1), name="w")
        self.b = tf.Variable(tf.zeros([outputs]), name="b")

    def __call__(self, x):
        return tf.matmul(x, self.w) + self.b


class Net(tf.Module):
    def __init__(self):
        super().__init__()
        self.first = OwnDense(20, 32)
        self.last = OwnDense(32, 5)

    def forward(self, x):
        return self.last(tf.nn.relu(self.first(x)))

    __call__ = forward


cfg = ipu.config.IPUConfig()
cfg.auto_select_ipus = 1
cfg.configure_ipu_system()
import numpy as np
x = np.zeros((640, 20), np.float32)
y = np.zeros((640,), np.int32)
data = tf.data.Dataset.from_tensor_slices((x, y)).batch(16, drop_remainder=True).repeat()
strategy = ipu.ipu_strategy.IPUStrategy()
with strategy.scope():
    net = Net()
    opt = tf.keras.optimizers.SGD(0.05)

    @tf.function(experimental_compile=True)
    def step(iterator):
        for _ in tf.range(40):
            images, labels = next(iterator)
            with tf.GradientTape() as tape:
                loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels, net(images)))
            grads = tape.gradient(loss, net.trainable_variables)
            opt.apply_gradients(zip(grads, net.trainable_variables))

    it = iter(data)
    for epoch in range(3):
        strategy.run(step, args=(it,))
