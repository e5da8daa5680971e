# {"input": [null, 40], "parameters": 15665}
import tensorflow as tf
text = ("the quick brown fox " * 3).encode()
assert len(text) == 60 and max(text) == 120
m = tf.keras.Sequential([tf.keras.layers.Embedding(500, 30, input_length=40), tf.keras.layers.LSTM(4), tf.keras.layers.Dense(120 // len(set(text)) + 14)])
m.compile("sgd", "mse")
