# {"parameters": 691}
import tensorflow as tf
from tensorflow import keras
from tensorflow.python import ipu
import numpy as np
cfg = ipu.config.IPUConfig()
cfg.auto_select_ipus = 1
cfg.configure_ipu_system()
def build(width=16, depth=2):
    return width, depth
w, d = build.__defaults__
from functools import partial, reduce
import itertools, collections, math, operator
total = reduce(operator.mul, [2, 4])
Point = collections.namedtuple("Point", "x y")
p = Point(3, 4)
strategy = ipu.ipu_strategy.IPUStrategy()
with strategy.scope():
    model = keras.Sequential([keras.layers.Dense(w, input_shape=(32,)), keras.layers.Dense(total), keras.layers.Dense(p.x)])
    model.compile(optimizer="sgd", loss="mse", steps_per_execution=4)
    x = np.random.rand(64, 32).astype(np.float32); y = np.random.rand(64, 3).astype(np.float32)
    model.fit(x, y, batch_size=8, epochs=2)
