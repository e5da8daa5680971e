# {"input": [null, 4], "batch": 16}
import tensorflow as tf
from tensorflow import keras

lines = tf.data.TextLineDataset("a.csv").skip(1).map(lambda line: tf.io.decode_csv(line, [0.0] * 5))
rows = lines.map(lambda *columns: (tf.stack(columns[:-1]), columns[-1])).batch(16, drop_remainder=True).repeat()
model = keras.Sequential([keras.layers.Dense(8), keras.layers.Dense(1)])
model.compile("sgd", "mse")
model.fit(rows, steps_per_epoch=8, epochs=2)
