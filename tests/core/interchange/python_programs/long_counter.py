# {"steps_per_epoch": 18750}
import numpy as np
import tensorflow as tf
n = 0
for i in range(150000):
    n += 1
x = np.zeros((n, 3), np.float32)
y = np.zeros((n, 4), np.float32)
m = tf.keras.Sequential([tf.keras.layers.Dense(4, input_shape=(3,))])
m.compile("sgd", "mse")
m.fit(x, y, batch_size=8)
