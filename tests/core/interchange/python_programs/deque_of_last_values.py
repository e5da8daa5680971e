# {"steps_per_epoch": 10}
from collections import deque
import numpy as np
import tensorflow as tf
memory = deque(maxlen=100)
for i in range(500):
    memory.append((np.zeros(3), np.zeros(4)))
memory.appendleft(memory.popleft())
x = np.array([sample[0] for sample in memory])
y = np.array([sample[1] for sample in memory])
m = tf.keras.Sequential([tf.keras.layers.Dense(4, input_shape=(3,))])
m.compile("sgd", "mse")
m.fit(x, y, batch_size=10)
