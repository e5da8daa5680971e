# {"classes": ["InputLayer", "Dense", "Dense"], "input": [null, 7], "steps_per_epoch": 30, "steps_per_execution": 10, "epochs": 4, "batch": 12}
import tensorflow as tf
from tensorflow import keras
from tensorflow.python import ipu

import numpy as np
class Trainer:
    """Keeps what belongs together."""
    DEFAULTS = {"epochs": 4, "steps": 30}
    def __init__(self, model_fn, *, num_ipus=1, **options):
        self.options = {**self.DEFAULTS, **options}
        self.model_fn = model_fn
        self.num_ipus = num_ipus
        self._history = []
    @property
    def steps(self):
        return self.options["steps"]
    @staticmethod
    def configure(n):
        c = ipu.config.IPUConfig()
        c.auto_select_ipus = n
        c.configure_ipu_system()
    def dataset(self, batch):
        x = np.random.standard_normal((360, 7)).astype(np.float32)
        y = (x.sum(axis=1, keepdims=True) > 0).astype(np.float32)
        return tf.data.Dataset.from_tensor_slices((x, y)).shuffle(360).batch(batch, drop_remainder=True).repeat()
    def run(self):
        self.configure(self.num_ipus)
        strategy = ipu.ipu_strategy.IPUStrategy()
        with strategy.scope():
            model = self.model_fn()
            model.compile(optimizer="sgd", loss="binary_crossentropy", steps_per_execution=10)
            h = model.fit(self.dataset(12), epochs=self.options["epochs"], steps_per_epoch=self.steps)
            self._history.append(h.history["loss"])
        return min(self._history[-1])
best = Trainer(lambda: keras.Sequential([keras.layers.Dense(8, activation="relu"), keras.layers.Dense(1, activation="sigmoid")])).run()
print(f"best loss: {best:.3f}")
