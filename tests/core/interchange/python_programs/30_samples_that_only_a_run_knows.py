# {"classes": ["InputLayer", "Dense"], "input": [null, 7], "batch": 20, "steps_per_epoch": 20, "no_warning": "python/unknown-samples"}
import numpy as np
import tensorflow as tf


def encoded(text, length):
    return np.array([ord(c) for c in text.ljust(length)], dtype=np.float32)


def samples(count):
    inputs, targets = [], []
    rng = np.random.RandomState(0)
    while len(inputs) < count:
        a, b = rng.randint(0, 1000, 2)
        inputs.append(encoded("{}+{}".format(a, b), 7))
        targets.append(encoded(str(a + b), 4))
    return {"sum": np.stack(inputs)}, np.array(targets)


features, labels = samples(400)
features["sum"] = np.log1p(features["sum"])
ds = tf.data.Dataset.from_tensor_slices((features, labels)).batch(20, drop_remainder=True)
total = tf.keras.Input((7,), name="sum")
model = tf.keras.Model(total, tf.keras.layers.Dense(4)(total))
model.compile("sgd", "mse")
model.fit(ds)
