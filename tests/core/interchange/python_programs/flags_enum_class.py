# {"config": [1, "units", 3]}
import numpy as np
import tensorflow as tf
import random
from tensorflow.keras import Sequential, layers
from tensorflow import keras
x = np.zeros((64, 3), np.float32)
y = np.zeros((64, 4), np.float32)
from absl import app, flags
FLAGS = flags.FLAGS
import enum
class K(enum.Enum):
    A = "a"
    B = "b"
flags.DEFINE_enum_class("h", "b", K, "w")
flags.DEFINE_multi_enum_class("g", [K.A, K.B], K, "w")
def main(_):
    u = 3 if FLAGS.h is K.B and FLAGS.g[1] == K.B else 4
    m = Sequential([layers.Dense(u, input_shape=(3,)), layers.Dense(4)])
    m.compile("sgd", "mse")
    m.fit(x, y, batch_size=8)
app.run(main)
