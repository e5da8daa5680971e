# {"config": [1, "units", 24]}
import numpy as np
import tensorflow as tf
units = 0
for row in np.array([[1, 2], [3, 4]]):
    for value in row:
        units += int(value)
for place, value in enumerate(np.array([5, 6])):
    units += place
units += sum(list(np.arange(3))) + max(np.arange(4)) + len([v for v in np.linspace(0, 1, 5)]) + len(np.zeros((2, 9)))
m = tf.keras.Sequential([tf.keras.layers.Dense(units, input_shape=(3,))])
m.compile("sgd", "mse")
m.fit(np.zeros((64, 3)), np.zeros((64, 24)), batch_size=8)
