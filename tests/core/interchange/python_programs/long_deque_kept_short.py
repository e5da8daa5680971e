# {"parameters": 750}
from collections import deque
import tensorflow as tf
d = deque(maxlen=150000)
for i in range(99000):
    d.append(i)
for i in range(99000):
    d.append(i)
n = len(d)
model = tf.keras.Sequential([tf.keras.layers.Dense(n // 1000, input_shape=(4,))])
