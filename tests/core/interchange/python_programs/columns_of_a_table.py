# {"config": [1, "units", 4], "no_warning": "layer/shape"}
import pandas as pd
import tensorflow as tf

table = pd.DataFrame({"a": [1, 2, 3], "b": [4, 5, 6], "y": [0, 1, 0]})
x = table[["a", "b"]].values
assert x.shape == (3, 2)
m = tf.keras.Sequential([tf.keras.layers.Dense(4, input_shape=(2,))])
m.compile("sgd", "mse")
m.fit(x, table["y"], batch_size=1)
