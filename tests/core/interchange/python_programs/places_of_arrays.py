# {"parameters": 192, "steps_per_epoch": 8}
import numpy as np
import tensorflow as tf
import random
from tensorflow.keras import Sequential, layers
from tensorflow import keras
x = np.zeros((64, 3), np.float32)
y = np.zeros((64, 4), np.float32)
r, c = np.triu_indices(5)
a, b = np.nonzero(np.eye(5))
w = np.where(np.eye(5) > 0)
g = np.meshgrid(np.arange(2), np.arange(3))[0].ravel()
z = np.indices((5, 5))[0].flatten()
assert len(r) == 15 and list(w[0]) == [0, 1, 2, 3, 4] and g.tolist() == [0, 1, 0, 1, 0, 1], 'bad'
i = layers.Input((5, 5))
f = layers.Flatten()(i)
o = layers.Dense(4)(tf.gather(f, (r * 5 + c).tolist(), axis=1))
o2 = layers.Dense(4)(tf.gather(f, a * 5 + b, axis=1))
o3 = layers.Dense(4)(tf.gather(f, z, axis=1))
m = tf.keras.Model(i, o + o2 + o3)
m.compile('sgd', 'mse')
m.fit(np.zeros((64, 5, 5), np.float32), np.zeros((64, 4), np.float32), batch_size=8)
