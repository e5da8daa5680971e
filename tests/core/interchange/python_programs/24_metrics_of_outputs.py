# {"metrics": [["accuracy"], ["mae"]], "losses": ["SparseCategoricalCrossentropy", "MeanSquaredError"], "loss_weights": [1.0, 0.5]}
import tensorflow as tf
from tensorflow import keras
from tensorflow.python import ipu
import numpy as np
cfg = ipu.config.IPUConfig()
cfg.auto_select_ipus = 1
cfg.configure_ipu_system()
strategy = ipu.ipu_strategy.IPUStrategy()
with strategy.scope():
    inp = keras.Input((32,))
    h = keras.layers.Dense(16)(inp)
    a = keras.layers.Dense(10, activation="softmax", name="cls")(h)
    b = keras.layers.Dense(1, name="reg")(h)
    model = keras.Model(inp, [a, b])
    model.compile(optimizer="sgd", loss={"cls": "sparse_categorical_crossentropy", "reg": "mse"}, loss_weights={"cls": 1.0, "reg": 0.5}, metrics={"cls": ["accuracy"], "reg": "mae"}, steps_per_execution=4)
    x = np.random.rand(64, 32).astype(np.float32); y = np.random.randint(0, 10, (64,)); z = np.random.rand(64, 1).astype(np.float32)
    model.fit(x, {"cls": y, "reg": z}, batch_size=8, epochs=2)
