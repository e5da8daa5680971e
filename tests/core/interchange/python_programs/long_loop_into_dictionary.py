# {"error": "python/value"}
from collections import defaultdict
import numpy as np
import tensorflow as tf
groups = defaultdict(list)
for i in range(120000):
    groups[i % 3].append(i)
m = tf.keras.Sequential([tf.keras.layers.Dense(len(groups), input_shape=(3,))])
m.compile("sgd", "mse")
