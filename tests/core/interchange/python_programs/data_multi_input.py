# {"classes": ["InputLayer", "InputLayer", "LSTM", "Embedding", "Concatenate", "Dense", "Dense"], "input": [null, 15], "steps_per_epoch": 20, "batch": 10}
import tensorflow as tf
from tensorflow import keras
from tensorflow.python import ipu

cfg = ipu.config.IPUConfig()
cfg.auto_select_ipus = 1
cfg.configure_ipu_system()
strategy = ipu.ipu_strategy.IPUStrategy()

import numpy as np
n = 200
with strategy.scope():
    words = keras.Input(shape=(15,), name="words", dtype="int32")
    numbers = keras.Input(shape=(4,), name="numbers")
    h = keras.layers.LSTM(8)(keras.layers.Embedding(50, 8)(words))
    h = keras.layers.concatenate([h, numbers], axis=-1)
    m = keras.Model(inputs=[words, numbers], outputs=[keras.layers.Dense(1, name="price")(h), keras.layers.Dense(3, activation="softmax", name="kind")(h)])
    m.compile(optimizer="adam", loss={"price": "mse", "kind": "sparse_categorical_crossentropy"})
    m.fit([np.random.randint(0, 50, (n, 15)), np.random.rand(n, 4)], [np.random.rand(n, 1), np.random.randint(0, 3, (n,))], batch_size=10, epochs=1)
