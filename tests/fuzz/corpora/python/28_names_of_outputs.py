# {"parameters": 9, "loss": "MeanSquaredError", "batch": 4}
import tensorflow as tf

given = tf.keras.Input((8,))
net = tf.keras.Model(given, tf.keras.layers.Dense(1, name="height")(given))
net.compile("sgd", loss={net.output_names[0]: "mean_squared_error"})
data = tf.data.Dataset.from_tensors((tf.random_uniform([4, 8]), tf.random_normal([4, 1])))
net.fit(data.repeat(), steps_per_epoch=10)
