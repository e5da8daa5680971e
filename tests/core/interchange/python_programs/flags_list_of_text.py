# {"config": [1, "units", 6]}
import numpy as np
import tensorflow as tf
import random
from tensorflow.keras import Sequential, layers
from tensorflow import keras
x = np.zeros((64, 3), np.float32)
y = np.zeros((64, 4), np.float32)
from absl import app, flags
FLAGS = flags.FLAGS
flags.DEFINE_list("h", "8,6", "w")
def main(_):
    u = int(FLAGS.h[1])
    m = Sequential([layers.Dense(u, input_shape=(3,)), layers.Dense(4)])
    m.compile("sgd", "mse")
    m.fit(x, y, batch_size=8)
app.run(main)
