# {"batch": 8, "steps_per_execution": 10, "steps_per_epoch": 40, "parameters": 34, "no_warning": "python/value"}
import random
import string

import numpy as np
import tensorflow as tf
from tensorflow.python import ipu

NAMES = ["no", "yes"]
IDS = {c: i for i, c in enumerate(string.ascii_lowercase)}
TEXT = "it was the best of times, it was the worst of times " * 4000


def pairs(x, y):
    groups = [np.where(y == i)[0] for i in range(2)]
    first, second, labels = [], [], []
    n = min(len(group) for group in groups) - 1
    for group in groups:
        for i in range(n):
            first.append(x[group[i]])
            second.append(x[group[i + 1]])
            other = random.randrange(1, 2)
            labels += [1, 0] if other else [0, 1]
    return np.array(first), np.array(second), np.array(labels, dtype="float32")


def numbers(text):
    return np.array([IDS[c] for c in text if c in IDS], dtype=np.int32)


data = numbers(TEXT)
x = np.random.rand(1000, 16).astype("float32")
y = np.random.randint(0, 2, 1000)
a, b, labels = pairs(x, y)
dataset = tf.data.Dataset.from_tensor_slices((a - b, labels)).repeat().batch(8, drop_remainder=True)
with ipu.ipu_strategy.IPUStrategy().scope():
    inputs = tf.keras.Input((16,))
    outputs = tf.keras.layers.Dense(1, activation="sigmoid")(tf.keras.layers.Dense(1)(tf.abs(inputs) + 1.0))
    net = tf.keras.Sequential([tf.keras.Input((16,)), tf.keras.layers.Dense(2, use_bias=False),
                               tf.keras.layers.Dense(1, use_bias=False, activation="sigmoid")])
    if np.mean(y) > 0.5:
        note = "more of the second"
    else:
        note = "more of the first"
    net = tf.keras.Model(net.inputs, net.outputs) if False else net
    net.add(tf.keras.layers.Lambda(lambda t: 1.0 - t))
    net.compile("adam", "binary_crossentropy", metrics=["accuracy"], steps_per_execution=10)
    net.fit(dataset, epochs=2, steps_per_epoch=40)
    results = net.evaluate(dataset.take(10), steps=10)
    print(note, dict(zip(net.metrics_names, results)))
    for score, label in zip(net.predict(a[:8], batch_size=8)[:, 0], labels[:8]):
        print("%s %s %s" % (NAMES[int(label)], "yes" if score > 0.5 else "no", NAMES[int(np.argmax(score))]))
