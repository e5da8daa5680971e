# {"classes": ["InputLayer", "Dense", "Dense"], "epochs": 3, "optimizer_config": {"learning_rate": 0.25}}
import tensorflow as tf


class Net:
    def __init__(self):
        self.one = self.first
        self.parts = [self.first, self.second]
        self.pair = (self.first, self.second)
        self.table = {"first": self.first, "second": self.second}
        self.grown = []
        self.grown.append(self.second)
        self.grown[0] = self.second

    def first(self, x):
        return tf.keras.layers.Dense(8)(x)

    def second(self, x):
        return tf.keras.layers.Dense(2)(x)


class Other(Net):
    def take(self, net):
        self.theirs = net.one
        net.theirs = self.one
        self.isKept = self.first in self.parts and net.first not in self.parts


net, other = Net(), Other()
other.take(net)
x = tf.keras.Input((4,))
y = net.table["second"](net.one(x))
model = tf.keras.Model(x, y)
model.compile(tf.keras.optimizers.SGD(0.25 if other.isKept else 1.0), "mse")
model.fit(tf.zeros((32, 4)), tf.zeros((32, 2)), epochs=len(other.parts) + len(net.grown))
