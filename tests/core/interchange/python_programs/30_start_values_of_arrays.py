# {"parameters": 165, "config": [1, "bias_initializer", {"class_name": "Constant", "config": {"value": [1.0, 0.0, 0.0, 1.0]}}], "warning": "python/ignored"}
import numpy as np
import tensorflow as tf

start = tf.keras.initializers
table = np.zeros((10, 4))
for row in range(10):
    table[row] = np.random.rand(4)
ids = tf.keras.Input((4,))
x = tf.keras.layers.Dense(4, bias_initializer=start.Constant(np.eye(2).flatten()))(ids)
x = tf.keras.layers.Dense(4, bias_initializer=start.Constant(value=np.full(4, 0.5)))(x)
x = tf.keras.layers.Dense(4, bias_initializer=start.Constant(np.identity(2).reshape(-1).tolist()))(x)
x = tf.keras.layers.Dense(4, bias_initializer=tf.constant_initializer(np.array([1.0, 1.0, 1.0, 1.0])))(x)
e = tf.keras.layers.Embedding(10, 4, embeddings_initializer=start.Constant(table))(ids)
x = tf.keras.layers.Concatenate()([x, tf.keras.layers.Flatten()(e)])
# Numbers that NumPy computes of numbers of the program.
sizes = [int(np.argmax([1, 9, 3])), int(np.cumsum([2, 3])[1]), int(np.prod([2, 2])), int(np.argsort([3, 1, 2])[0])]
assert sizes == [1, 5, 4, 1] and np.flip(np.arange(4))[0] == 3 and np.pad([1, 2], 1)[1] == 1
places = np.arange(10)
x = tf.keras.layers.Dense(sizes[1] - len(places[places > 5]))(x)
model = tf.keras.Model(ids, tf.keras.layers.Dense(int(np.roll(places, 2)[3]) * int(np.sum(~np.tril(np.ones((3, 3), dtype=bool)))) * sizes[2])(x))
model.compile("sgd", "mse")
