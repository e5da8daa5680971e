# {"steps_per_epoch": 25000}
import numpy as np
import tensorflow as tf
p = [(i, i) for i in range(200000)]
n = len(p)
x = np.zeros((n, 3), np.float32)
y = np.zeros((n, 4), np.float32)
m = tf.keras.Sequential([tf.keras.layers.Dense(4, input_shape=(3,))])
m.compile("sgd", "mse")
m.fit(x, y, batch_size=8)
