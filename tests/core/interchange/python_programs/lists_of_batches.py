# {"steps_per_epoch": 100}
import numpy as np
import tensorflow as tf
n = 0
parts = []
for batch in tf.data.Dataset.from_tensor_slices(np.zeros((800, 3))).batch(8):
    n += 8
    parts.append(batch)
assert n == 800
n = len(parts) * 8
x = np.zeros((n, 3), np.float32)
y = np.zeros((n, 4), np.float32)
m = tf.keras.Sequential([tf.keras.layers.Dense(4, input_shape=(3,))])
m.compile("sgd", "mse")
m.fit(x, y, batch_size=8)
