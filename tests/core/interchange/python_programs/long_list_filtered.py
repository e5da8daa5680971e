# {"warning": "python/unknown-samples", "steps_per_epoch": null}
import numpy as np
import tensorflow as tf
p = []
for i in range(160000):
    if i % 2 == 0:
        p.append(i)
n = len(p)
x = np.zeros((n, 3), np.float32)
y = np.zeros((n, 4), np.float32)
m = tf.keras.Sequential([tf.keras.layers.Dense(4, input_shape=(3,))])
m.compile("sgd", "mse")
m.fit(x, y, batch_size=8)
