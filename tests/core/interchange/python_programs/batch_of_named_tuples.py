# {"steps_per_epoch": 8}
import numpy as np
import tensorflow as tf
from tensorflow.keras import Sequential, layers
from collections import namedtuple
from typing import NamedTuple
T = namedtuple('T', 'a b')
import random
mem = [(np.zeros(3), np.zeros(4)) for _ in range(200)]
t = T(*(np.array(c) for c in zip(*random.sample(mem, 64))))
x, y = t.a, t.b
m = Sequential([layers.Dense(4, input_shape=(3,))])
m.compile('sgd', 'mse')
m.fit(x, y, batch_size=8)
