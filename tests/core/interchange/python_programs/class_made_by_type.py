# {"loss": "MeanAbsoluteError", "activations": ["tanh"], "parameters": 28}
import tensorflow as tf
S = type("Settings", (object,), {"relu": "tanh", "mse": "mae", "widths": [3, 4]})
n = 0
for width in S().widths:
    n += width
m = tf.keras.Sequential([tf.keras.layers.Dense(n, activation=S.relu, input_shape=(3,))])
m.compile("sgd", S.mse)
