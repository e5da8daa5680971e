# {"classes": ["InputLayer", "Dense", "Dense", "Dense"], "layer_count": 4, "batch": 24, "epochs": 6}
import abc
import tensorflow as tf
class Base(abc.ABC):
    width = 5
    def __init__(self, **overrides):
        self.order = ["base"]
        for name, value in overrides.items():
            setattr(self, name, value)
    @property
    @abc.abstractmethod
    def body(self):
        ...
    @property
    def model(self):
        layers = [tf.keras.Input((8,)), tf.keras.layers.Dense(self.width), *self.body]
        return tf.keras.Sequential(layers)
class Logged:
    def __init__(self, **kwargs):
        super().__init__(**kwargs)
        self.order.append("logged")
    def train(self, *args, **kwargs):
        kwargs.setdefault("epochs", 6)
        model = self.model
        model.compile("sgd", "mse")
        return model.fit(*args, **kwargs)
class Own(Logged, Base):
    @property
    def body(self):
        return [tf.keras.layers.Dense(width) for width in range(4, 4 + len(self.order))]
own = Own(width=7)
assert isinstance(own, Logged) and isinstance(own, Base) and own.order == ["base", "logged"]
own.train(tf.zeros((48, 8)), tf.zeros((48, 5)), batch_size=24)
