# {"loss": "MeanSquaredError"}
import tensorflow as tf
i = tf.keras.Input((8,), name="i1")
k = tf.keras.Input((8,), name="i2")
d1 = tf.keras.layers.Dense(4, name="d1"); d2 = tf.keras.layers.Dense(4, name="d2"); d3 = tf.keras.layers.Dense(4, name="d3")
a = d3(d1(i))
b = d2(k)
o = tf.keras.layers.Add(name="add")([b, a])
m = tf.keras.Model([i, k], o)
names = [l.name for l in m.layers]
if names != ['i1', 'i2', 'd1', 'd2', 'd3', 'add']:
    raise ValueError(str(names))
m.compile("sgd", "mse")
