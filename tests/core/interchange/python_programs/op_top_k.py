# {"classes": ["InputLayer", "Dense", "TFOpLambda", "TFOpLambda", "TFOpLambda", "TFOpLambda", "TFOpLambda", "TFOpLambda", "TFOpLambda", "TFOpLambda", "TFOpLambda", "TFOpLambda", "TFOpLambda", "TFOpLambda", "Dense"], "parameters": 260}
import tensorflow as tf
from tensorflow import keras
inp = keras.Input((16,), batch_size=4)
x = keras.layers.Dense(12)(inp)
values, indices = tf.math.top_k(x, k=4)
v = tf.nn.top_k(x, 3).values
i = tf.cast(tf.math.top_k(x, k=2)[1], tf.float32)
a = tf.split(x, 2, axis=1)[1]
mean, var = tf.nn.moments(x, axes=[-1], keepdims=True)
n = (x - mean) / tf.sqrt(var + 1e-5)
y = tf.concat([values, v, i, a, n], -1)
model = keras.Model(inp, keras.layers.Dense(2)(y))
model.summary()
