# {"steps_per_epoch": 8}
import numpy as np
import tensorflow as tf
from tensorflow.keras import Sequential, layers
import random
mem = [(np.zeros(3), np.zeros(4)) for _ in range(200)]
X = np.zeros((200, 3), np.float32)
Y = np.zeros((200, 4), np.float32)
i = np.random.choice(len(mem), 64)
b = [mem[j] for j in i]
x = np.array([r[0] for r in b]); y = np.array([r[1] for r in b])
m = Sequential([layers.Dense(4, input_shape=(3,))])
m.compile('sgd', 'mse')
m.fit(x, y, batch_size=8)
