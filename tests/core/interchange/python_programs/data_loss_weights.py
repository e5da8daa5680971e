# {"classes": ["InputLayer", "Dense", "Dense", "Dense"], "epochs": 2, "losses": ["SparseCategoricalCrossentropy", "MeanSquaredError"], "loss_weights": [1.0, 0.25]}
import tensorflow as tf, numpy as np
from tensorflow.python import ipu
cfg = ipu.config.IPUConfig(); cfg.auto_select_ipus = 1; cfg.configure_ipu_system()
strategy = ipu.ipu_strategy.IPUStrategy()
x = np.random.rand(320, 20).astype("float32"); y1 = np.random.randint(0, 5, 320); y2 = np.random.rand(320, 1).astype("float32")
with strategy.scope():
    i = tf.keras.Input((20,))
    h = tf.keras.layers.Dense(32, activation="relu")(i)
    a = tf.keras.layers.Dense(5, activation="softmax", name="cls")(h); b = tf.keras.layers.Dense(1, name="reg")(h)
    model = tf.keras.Model(i, [a, b])
    model.compile("sgd", loss={"cls": "sparse_categorical_crossentropy", "reg": "mse"}, loss_weights={"cls": 1.0, "reg": 0.25}, steps_per_execution=10)
    model.fit(x, {"cls": y1, "reg": y2}, batch_size=16, epochs=2)
