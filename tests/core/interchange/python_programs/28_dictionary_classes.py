# {"parameters": 45, "batch": 4, "epochs": 2, "optimizer": "SGD"}
import tensorflow as tf


class Settings(dict):
    __getattr__ = dict.get
    __setattr__ = dict.__setitem__


class Attributes(dict):
    def __init__(self, *given, **named):
        super(Attributes, self).__init__(*given, **named)
        self.__dict__ = self


class Lazy:
    def __init__(self, names):
        self._names = names

    def __getattr__(self, name):
        return self._names[name]


settings = Settings(units=5, rate=0.1)
settings.batch = 4
more = Attributes({"epochs": 1})
more["epochs"] = more.epochs + 1
lazy = Lazy({"loss": "mse"})
net = tf.keras.Sequential([tf.keras.layers.Dense(settings.units, input_shape=(8,))])
net.compile(tf.keras.optimizers.SGD(settings["rate"]), lazy.loss)
assert settings.missing is None and "units" in settings and len(settings) == 3
net.fit(tf.zeros([64, 8]), tf.zeros([64, 5]), batch_size=settings.batch, epochs=more.epochs)
