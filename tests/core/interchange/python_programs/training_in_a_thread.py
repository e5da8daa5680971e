# {"batch": 8, "steps_per_epoch": 16, "epochs": 3}
import numpy as np, tensorflow as tf
from tensorflow import keras
from tensorflow.keras import layers
from tensorflow.python import ipu
cfg = ipu.config.IPUConfig(); cfg.auto_select_ipus = 1; cfg.configure_ipu_system()
import threading
with ipu.ipu_strategy.IPUStrategy().scope():
    m = keras.Sequential([layers.Dense(8, input_shape=(4,)), layers.Dense(2)])
    m.compile("sgd", "mse", steps_per_execution=8)
    ds = tf.data.Dataset.from_tensors((tf.zeros((8, 4)), tf.zeros((8, 2)))).repeat()
    t = threading.Thread(target=m.fit, args=(ds,), kwargs={"steps_per_epoch": 16, "epochs": 3})
    t.start(); t.join()
