# {"input": [null, 6]}
import random
import numpy as np
import tensorflow as tf
rows = [[random.randint(1, 49) for _ in range(6)] for _ in range(32)]
x, y = np.asarray(rows, np.int32), np.asarray([r[0] % 2 for r in rows], np.float32)
perm = np.random.permutation(len(x))
n = int(0.75 * len(x))
x, y = x[perm][:n], y[perm][:n]
m = tf.keras.Sequential([tf.keras.layers.Embedding(50, 8), tf.keras.layers.Flatten(), tf.keras.layers.Dense(1)])
m.compile("adam", "mse")
m.fit(x, y, batch_size=4)
