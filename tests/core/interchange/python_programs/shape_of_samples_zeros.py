# {"input": [null, 6], "steps_per_epoch": 10}
import numpy as np
import tensorflow as tf
import random
from tensorflow.keras import Sequential, layers
from tensorflow import keras
x = np.zeros((64, 3), np.float32)
y = np.zeros((64, 4), np.float32)
d = tf.data.Dataset.from_tensor_slices(np.zeros((640, 6), np.float32)).map(lambda t: (t + tf.zeros(tf.shape(t)), t))
m = Sequential([layers.Dense(4), layers.Dense(6)])
m.compile("sgd", "mse")
m.fit(d.batch(64, drop_remainder=True))
