# {"batch": 16, "epochs": 7, "steps_per_execution": 8, "layer_count": 3}
import dataclasses
import tensorflow as tf
@dataclasses.dataclass(frozen=True)
class Config:
    batch: int = 4
    widths: tuple = (3, 2)
    epochs: int = 1
    def replace(self, **changes):
        return dataclasses.replace(self, **changes)
config = Config().replace(batch=16, epochs=7)
names = [field.name for field in dataclasses.fields(config)]
assert names == ["batch", "widths", "epochs"] and dataclasses.astuple(config)[0] == 16
model = tf.keras.Sequential([tf.keras.Input((8,))] + [tf.keras.layers.Dense(w) for w in config.widths])
model.compile("adam", "mse", steps_per_execution=8)
model.fit(tf.zeros((128, 8)), tf.zeros((128, 2)), batch_size=config.batch, epochs=config.epochs)
