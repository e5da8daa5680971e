# {"config": [1, "units", 6]}
from dataclasses import dataclass, field, replace
import tensorflow as tf


@dataclass
class Settings:
    width: int = 2
    units: int = field(init=False)
    tags: list = field(default_factory=list)

    def __post_init__(self):
        self.units = self.width * 2


assert replace(Settings(2), width=5).units == 10
m = tf.keras.Sequential([tf.keras.layers.Dense(Settings(3).units, input_shape=(8,))])
m.compile("sgd", "mse")
