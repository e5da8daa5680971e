# {"classes": ["InputLayer", "Dense"], "input": [null, 3], "steps_per_epoch": 4, "batch": 8}
import tensorflow as tf
from tensorflow import keras
from tensorflow.python import ipu

cfg = ipu.config.IPUConfig()
cfg.auto_select_ipus = 1
cfg.configure_ipu_system()
strategy = ipu.ipu_strategy.IPUStrategy()

with strategy.scope():
    m = keras.Sequential([keras.layers.Dense(1, input_shape=(3,))])
    m.compile("sgd", "mse")
    best = float("inf")
    for epoch in range(4):
        h = m.fit(tf.zeros((32, 3)), tf.zeros((32, 1)), batch_size=8, epochs=1, verbose=0)
        val = h.history["loss"][0]
        if val < best:
            best = val
            m.save_weights("best.h5")
        elif val > 10 * best:
            break
