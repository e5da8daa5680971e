# {"parameters": 1752, "batch": 8, "epochs": 2}
import tensorflow as tf
from tensorflow import keras
from tensorflow.python import ipu
import numpy as np
cfg = ipu.config.IPUConfig()
cfg.auto_select_ipus = 1
cfg.configure_ipu_system()
import re
name = "resnet50_v2"
m = re.match(r"resnet(\d+)_v(\d)", name)
depth = int(m.group(1))
parts = re.split(r"_", name)
clean = re.sub(r"[^a-z0-9]", "", name)
found = re.findall(r"\d+", name)
strategy = ipu.ipu_strategy.IPUStrategy()
with strategy.scope():
    model = keras.Sequential([keras.layers.Dense(depth, input_shape=(32,), name=clean), keras.layers.Dense(int(found[-1]))])
    model.compile(optimizer=keras.optimizers.SGD(0.1), loss="mse", steps_per_execution=4)
    x = np.random.rand(64, 32).astype(np.float32); y = np.random.rand(64, 2).astype(np.float32)
    model.fit(x, y, batch_size=8, epochs=2)
