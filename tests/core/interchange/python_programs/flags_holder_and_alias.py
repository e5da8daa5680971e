# {"config": [1, "units", 32]}
import numpy as np
import tensorflow as tf
import random
from tensorflow.keras import Sequential, layers
from tensorflow import keras
x = np.zeros((64, 3), np.float32)
y = np.zeros((64, 4), np.float32)
from absl import app, flags
FLAGS = flags.FLAGS
H = flags.DEFINE_integer("h", 4, "w")
flags.DEFINE_alias("units", "h")
FLAGS.set_default("units", 8)
def main(_):
    u = H.value + FLAGS["h"].value + FLAGS.units + FLAGS.flag_values_dict()["h"]
    m = Sequential([layers.Dense(u, input_shape=(3,)), layers.Dense(4)])
    m.compile("sgd", "mse")
    m.fit(x, y, batch_size=8)
app.run(main)
