# {"steps_per_epoch": 15000}
import numpy as np
import tensorflow as tf
def pairs(count):
    for i in range(count):
        for j in range(4):
            yield i, j
n = len(list(pairs(30000)))
x = np.zeros((n, 3), np.float32)
y = np.zeros((n, 4), np.float32)
m = tf.keras.Sequential([tf.keras.layers.Dense(4, input_shape=(3,))])
m.compile("sgd", "mse")
m.fit(x, y, batch_size=8)
